#ifndef GB_TESTS_SUPPORT_MESH_H
#define GB_TESTS_SUPPORT_MESH_H

/* Four sites, a private link for each pair; site 2 is the slow one. */
static const char mesh[] = "cluster c0 latency=40us bandwidth=1Gbit/s overhead=3us\na[0-15]\n"
                           "cluster c1 latency=40us bandwidth=1Gbit/s overhead=3us\nb[0-15]\n"
                           "cluster c2 latency=40us bandwidth=1Gbit/s overhead=3us\nc[0-15]\n"
                           "cluster c3 latency=40us bandwidth=1Gbit/s overhead=3us\nd[0-15]\n"
                           "link c0 c1 latency=7ms bandwidth=1000Mbit/s overhead=3us\n"
                           "link c0 c2 latency=40ms bandwidth=100Mbit/s overhead=3us\n"
                           "link c0 c3 latency=12ms bandwidth=200Mbit/s overhead=3us\n"
                           "link c1 c2 latency=35ms bandwidth=200Mbit/s overhead=3us\n"
                           "link c1 c3 latency=20ms bandwidth=622Mbit/s overhead=3us\n"
                           "link c2 c3 latency=50ms bandwidth=50Mbit/s overhead=3us\n";

#endif
