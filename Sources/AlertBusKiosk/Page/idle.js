// What is there when nothing is shown: the time, quietly.
function startClock() {
  const clock = document.getElementById("clock");
  const date = document.getElementById("date");
  const time = new Intl.DateTimeFormat(language.tag, { hour: "2-digit", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(language.tag, { weekday: "long", day: "numeric", month: "long" });
  const tick = () => {
    const now = new Date();
    setText(clock, time.format(now));
    setText(date, day.format(now));
    setTimeout(tick, 1000 - (now.getTime() % 1000));
  };
  tick();
}
