"""Regions of three cloud providers: rates between machines as measured, and latencies from where the regions are.

data/rates.csv has for each ordered pair of regions the rate [Mbit/s] that iperf3 got between two virtual machines with
64 connections (2022-11, published with Skyplane and Cloudcast); data/regions.csv says where they are."""
import csv
import math
import os
from collections import namedtuple

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
# What the providers let in and out of a machine, of the sizes that were measured.
INGRESS_MBIT = {"aws": 10000, "gcp": 16000, "azure": 16000}
EGRESS_MBIT = {"aws": 5000, "gcp": 7000, "azure": 16000}
EARTH_KM = 6371
FIBRE_KM_S = 2 / 3 * 299792
# Cables are longer than great circles: 1.5 is assumed, and half a millisecond between two places in one town.
DETOUR, NEAR = 1.5, 0.5e-3

Region = namedtuple("Region", "name provider latitude longitude")


def read(name):
    with open(os.path.join(DATA, name), newline="") as lines:
        return list(csv.DictReader(lines))


REGIONS = [Region(row["region"], row["region"].split(":")[0], math.radians(float(row["latitude"])),
                  math.radians(float(row["longitude"]))) for row in read("regions.csv")]
RATES = {row["from"]: row for row in read("rates.csv")}


def mbit(a, b):
    return float(RATES[a.name][b.name])


def latency(a, b):
    """One way, s."""
    north = math.sin((a.latitude - b.latitude) / 2) ** 2
    east = math.cos(a.latitude) * math.cos(b.latitude) * math.sin((a.longitude - b.longitude) / 2) ** 2
    return NEAR + DETOUR * 2 * EARTH_KM * math.asin(math.sqrt(north + east)) / FIBRE_KM_S
