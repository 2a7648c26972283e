/* Bodies of messages from and to forecasters. */
#include "nws/wire/body.h"

void gb_nws_put_fore_series(gb_bytes *out, const gb_nws_message *m) {
  const gb_nws_fore_series *s = &m->series;
  gb_put_u32(out, 1);
  gb_put_u32(out, s->more_to_come);
  gb_put_u32(out, s->at_most);
  gb_put_field(out, s->forecast_name, sizeof s->forecast_name);
  gb_put_field(out, s->memory, sizeof s->memory);
  gb_put_field(out, s->series, sizeof s->series);
}

void gb_nws_get_fore_series(gb_reader *in, gb_nws_message *m) {
  gb_nws_fore_series *s = &m->series;
  in->bad = gb_get_u32(in) != 1 || in->bad;
  s->more_to_come = gb_get_u32(in) != 0;
  s->at_most = gb_get_u32(in);
  gb_get_field(in, sizeof s->forecast_name, s->forecast_name);
  gb_get_field(in, sizeof s->memory, s->memory);
  gb_get_field(in, sizeof s->series, s->series);
}

void gb_nws_put_fore_data(gb_bytes *out, const gb_nws_message *m) {
  const gb_nws_fore_data *d = &m->data;
  gb_put_u32(out, d->more_to_come);
  gb_put_u32(out, d->at_most);
  gb_put_field(out, d->forecast_name, sizeof d->forecast_name);
  gb_put_u32(out, d->count);
  gb_put(out, d->measurements.at, d->measurements.length);
  out->failed = out->failed || (uint64_t)d->count * GB_NWS_MEASUREMENT_BYTES != d->measurements.length;
}

void gb_nws_get_fore_data(gb_reader *in, gb_nws_message *m) {
  gb_nws_fore_data *d = &m->data;
  d->more_to_come = gb_get_u32(in) != 0;
  d->at_most = gb_get_u32(in);
  gb_get_field(in, sizeof d->forecast_name, d->forecast_name);
  d->count = gb_get_u32(in);
  d->measurements = gb_get_rest(in);
  in->bad = in->bad || (uint64_t)d->count * GB_NWS_MEASUREMENT_BYTES != d->measurements.length;
}

void gb_nws_put_forecast(gb_bytes *out, const gb_nws_message *m) {
  const gb_nws_forecast *f = &m->forecast;
  gb_put_field(out, f->name, sizeof f->name);
  gb_put_u32(out, f->count);
  gb_put(out, f->pairs.at, f->pairs.length);
  out->failed = out->failed || (uint64_t)f->count * GB_NWS_FORECAST_PAIR_BYTES != f->pairs.length;
}

void gb_nws_get_forecast(gb_reader *in, gb_nws_message *m) {
  gb_nws_forecast *f = &m->forecast;
  gb_get_field(in, sizeof f->name, f->name);
  f->count = gb_get_u32(in);
  f->pairs = gb_get_rest(in);
  in->bad = in->bad || (uint64_t)f->count * GB_NWS_FORECAST_PAIR_BYTES != f->pairs.length;
}

gb_nws_forecast_pair gb_nws_forecast_at(const gb_nws_forecast *f, uint32_t index) {
  gb_reader in = {.at = (const unsigned char *)f->pairs.at, .left = f->pairs.length};
  gb_nws_forecast_pair pair;
  (void)gb_get(&in, (size_t)index * GB_NWS_FORECAST_PAIR_BYTES);
  pair.time = gb_get_f64(&in);
  pair.measurement = gb_get_f64(&in);
  pair.mae.forecast = gb_get_f64(&in);
  pair.mae.error = gb_get_f64(&in);
  pair.mae.method = gb_get_u32(&in);
  pair.mse.forecast = gb_get_f64(&in);
  pair.mse.error = gb_get_f64(&in);
  pair.mse.method = gb_get_u32(&in);
  return pair;
}
