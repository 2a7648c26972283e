/* Hours of weather with what can go wrong, in milliseconds: nothing that a sensor was told is stored is lost,
 * and once all works again every reader knows all values. */
#include "tests/nws/simulated/weather.h"
#include "tests/support/rounds.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void end(weather *w, uint32_t first) {
  weather_run(w, RECOVERY);
  weather_check_stored(w);
  weather_check_read(w, first);
  weather_free(w);
}

static void command(const weather *w, const char *format) {
  char text[200];
  (void)snprintf(text, sizeof text, format, w->path, w->path, w->path);
  cr_assert_eq(system(text), 0, "%s", text);
}

Test(nws_weather, calm) {
  weather *w = weather_new(1);
  weather_run(w, 4 * 3600);
  for (int i = 0; i < SENSORS; i++)
    cr_assert_geq(w->sensors[i].acknowledgements, 1439);
  end(w, 0);
}

Test(nws_weather, server_is_restarted) {
  weather *w = weather_new(2);
  for (int i = 0; i < 10; i++) {
    weather_run(w, 100 + xorshift(&w->seed, 300));
    weather_stop(w);
    weather_run(w, xorshift(&w->seed, 60));
    weather_start(w);
    weather_check_stored(w);
  }
  end(w, 0);
}

Test(nws_weather, server_is_killed) {
  weather *w = weather_new(3);
  for (int i = 0; i < 100; i++) {
    weather_run(w, 0.1 * xorshift(&w->seed, 600));
    weather_kill(w);
    weather_start(w);
    weather_check_stored(w);
  }
  end(w, 0);
}

Test(nws_weather, power_is_cut) {
  weather *w = weather_new(4);
  for (int i = 0; i < 100; i++) {
    weather_run(w, 0.1 * xorshift(&w->seed, 600));
    weather_cut_power(w);
    weather_start(w);
    weather_check_stored(w);
  }
  end(w, 0);
}

Test(nws_weather, server_is_away_for_an_hour) {
  weather *w = weather_new(5);
  weather_run(w, 600);
  weather_stop(w);
  weather_run(w, 3600);
  weather_start(w);
  end(w, 0);
}

/* Longer than the outboxes reach: the oldest values are lost, and counted. */
Test(nws_weather, server_is_away_for_half_a_day) {
  weather *w = weather_new(6);
  weather_run(w, 600);
  weather_stop(w);
  weather_run(w, 12 * 3600 + 600);
  for (int i = 0; i < SENSORS; i++)
    cr_assert(w->sensors[i].outbox.lost > 200 && w->sensors[i].outbox.count == GB_OUTBOX_MOST);
  weather_start(w);
  weather_run(w, 1800);
  end(w, 5000);
}

Test(nws_weather, server_freezes) {
  weather *w = weather_new(7);
  for (int i = 0; i < 5; i++) {
    weather_run(w, 300);
    w->frozen = true;
    weather_run(w, 10 + 40 * i);
    w->frozen = false;
  }
  end(w, 0);
}

Test(nws_weather, network_is_cut) {
  weather *w = weather_new(8);
  for (int i = 0; i < 5; i++) {
    weather_run(w, 300);
    weather_cut(w, true);
    weather_run(w, 5 + 150 * i);
    weather_cut(w, false);
  }
  end(w, 0);
}

Test(nws_weather, one_sensor_is_cut_off) {
  weather *w = weather_new(9);
  weather_run(w, 300);
  w->sensors[1].wire.cut = true;
  uint32_t before = w->sensors[0].acknowledgements;
  weather_run(w, 1800);
  cr_assert_geq(w->sensors[0].acknowledgements, before + 179); /* the others do not notice */
  w->sensors[1].wire.cut = false;
  end(w, 0);
}

/* What was registered ends meanwhile, and comes back. */
Test(nws_weather, one_sensor_is_cut_off_until_its_registration_ends) {
  weather *w = weather_new(10);
  weather_run(w, 300);
  w->sensors[1].wire.cut = true;
  weather_run(w, 2 * 3600);
  cr_assert_eq(w->readers[0].survey.count, SENSORS - 1);
  w->sensors[1].wire.cut = false;
  weather_run(w, 1000);
  cr_assert_eq(w->readers[0].survey.count, SENSORS);
  weather_check_stored(w);
  weather_free(w);
}

Test(nws_weather, one_reader_is_cut_off) {
  weather *w = weather_new(11);
  weather_run(w, 300);
  w->readers[0].of_follow.cut = w->readers[0].of_survey.cut = true;
  weather_run(w, 2 * 3600);
  w->readers[0].of_follow.cut = w->readers[0].of_survey.cut = false;
  end(w, 0);
}

Test(nws_weather, one_reader_reads_slowly) {
  weather *w = weather_new(12);
  w->readers[0].of_follow.most = w->readers[0].of_survey.most = 40; /* 400 bytes a second */
  weather_run(w, 3600);
  w->readers[0].of_follow.most = w->readers[0].of_survey.most = SIZE_MAX;
  end(w, 0);
}

Test(nws_weather, one_reader_reads_nothing) {
  weather *w = weather_new(13);
  w->readers[0].of_follow.most = w->readers[0].of_survey.most = 0;
  weather_run(w, 3600);
  cr_assert_leq(w->service.held, w->service.held_most);
  w->readers[0].of_follow.most = w->readers[0].of_survey.most = SIZE_MAX;
  end(w, 0);
}

Test(nws_weather, a_sensor_is_restarted) {
  weather *w = weather_new(14);
  for (int i = 0; i < 10; i++) {
    weather_run(w, 0.1 * xorshift(&w->seed, 3000));
    weather_stop_sensor(w, 1);
    weather_run(w, 0.1 * xorshift(&w->seed, 600));
    weather_start_sensor(w, 1);
  }
  end(w, 20); /* a value can be lost each time, and its successor, too */
}

Test(nws_weather, clock_of_the_server_jumps) {
  static const double jumps[] = {3600, -3600, -86400, 5, -5, 86400};
  weather *w = weather_new(15);
  for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
    weather_run(w, 600);
    w->clock += jumps[i];
  }
  weather_run(w, 600);
  weather_check_stored(w);
  weather_free(w);
}

Test(nws_weather, clocks_of_sensors_differ) {
  weather *w = weather_new(16);
  w->sensors[0].ahead = 300;
  w->sensors[1].ahead = -7200;
  weather_run(w, 3600);
  end(w, 0);
}

Test(nws_weather, folder_is_removed) {
  weather *w = weather_new(17);
  for (int i = 0; i < 5; i++) {
    weather_run(w, 0.1 * xorshift(&w->seed, 3000));
    command(w, "rm -r %s");
    weather_run(w, 60);
    weather_kill(w);
    weather_start(w);
    weather_check_stored(w);
  }
  end(w, 10); /* a store is refused each time, and its value dropped */
}

Test(nws_weather, log_is_damaged_while_the_server_is_down) {
  weather *w = weather_new(18);
  for (int i = 0; i < 10; i++) {
    weather_run(w, 600);
    weather_kill(w);
    command(w, "cd %s && rm -f *.damaged && for f in *.log; do printf '?' | dd of=$f bs=1 seek=$(($(stat -c "
               "%%s $f) / 2)) "
               "conv=notrunc status=none; done");
    weather_start(w);
    uint32_t records = 0;
    for (int k = 0; k < SENSORS; k++) {
      const gb_stored_series *series =
          (const gb_stored_series *)gb_index_find(&w->store.memory.index, gb_view_of(w->sensors[k].series));
      cr_assert_not_null(series);
      records += series->count;
    }
    cr_assert_geq(records + (uint32_t)(i + 1) * 19, 3 * w->sensors[0].acknowledgements - 3);
  }
  weather_free(w);
}

/* All of it, at random. */
Test(nws_weather, storm, .timeout = 120) {
  for (uint64_t seed = 1; seed <= (uint64_t)ROUNDS(12); seed++) {
    weather *w = weather_new(seed);
    for (int i = 0; i < 60; i++) {
      weather_run(w, 0.1 * xorshift(&w->seed, 1200));
      int which = (int)xorshift(&w->seed, SENSORS);
      wire *read = &w->readers[xorshift(&w->seed, READERS)].of_follow;
      switch (xorshift(&w->seed, 9)) {
      case 0:
        w->up ? weather_stop(w) : weather_start(w);
        break;
      case 1:
        w->up ? weather_kill(w) : weather_start(w);
        break;
      case 2:
        w->up ? weather_cut_power(w) : weather_start(w);
        break;
      case 3:
        w->frozen = !w->frozen;
        break;
      case 4:
        weather_cut(w, xorshift(&w->seed, 3) == 0);
        break;
      case 5:
        w->sensors[which].wire.cut = !w->sensors[which].wire.cut;
        break;
      case 6:
        read->cut = !read->cut;
        break;
      case 7:
        read->most = read->most == SIZE_MAX ? 50 : SIZE_MAX;
        break;
      default:
        w->clock += xorshift(&w->seed, 20) * 0.1 - 1;
        break;
      }
    }
    if (!w->up)
      weather_start(w);
    w->frozen = false;
    weather_cut(w, false);
    for (int i = 0; i < READERS; i++)
      w->readers[i].of_follow.most = SIZE_MAX;
    end(w, 0);
  }
}
