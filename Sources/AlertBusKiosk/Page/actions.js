// Sends to the server what a person did and what was drawn.
let token = settings.token;

async function post(report) {
  const response = await fetch("/act", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-AlertBus-Token": token },
    body: JSON.stringify(report),
    signal: AbortSignal.timeout(settings.actTimeout + 2000),
  });
  return response.json();
}

// A short note at the bottom of the screen.
let noteTimer;
function showNote(text) {
  const note = document.getElementById("note");
  note.textContent = text;
  note.classList.add("visible");
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => note.classList.remove("visible"), 5000);
}

async function send(view, report, isConnected) {
  if (view.isPending || view.isLeaving) return;
  if (!isConnected) {
    showNote(say("notConnected"));
    return;
  }
  const { surface, alert } = view.entry;
  view.setPending(true);
  let verdict;
  try {
    verdict = await post({ surface, instance: alert.instance, revision: alert.revision ?? 0, ...report });
  } catch {
    verdict = { ok: false };
  }
  // What was accepted stays busy until the stream says that it is gone.
  if (verdict.ok) return;
  view.setPending(false);
  if (verdict.reason === "already_ended" || verdict.reason === "unknown_alert") showNote(say("alreadyEnded"));
  else if (verdict.reason === "stale") showNote(say("stale"));
  else showNote(say("failed"));
}

// Tells the server how far each surface is drawn: one message at a time, always the newest position.
class DrawnReporter {
  constructor() {
    this.waiting = new Map();
    this.isBusy = false;
  }

  report(surfaces) {
    for (const [surface, { epoch, seq }] of surfaces) {
      if (epoch > 0 || seq > 0) this.waiting.set(surface, { surface, epoch, seq });
    }
    this.flush();
  }

  async flush() {
    if (this.isBusy || this.waiting.size === 0) return;
    this.isBusy = true;
    const positions = [...this.waiting.values()];
    this.waiting.clear();
    try {
      await post({ kind: "drawn", positions });
    } catch {
      // The next snapshot brings the page and the server together again.
    }
    this.isBusy = false;
    this.flush();
  }
}
