// Priorities are told apart by a word, a shape and a pattern, not by colour alone.
function levelOf(priority) {
  return priority >= 3 ? "high" : priority === 2 ? "normal" : "low";
}

function priorityWord(priority, spoken) {
  const word = say(levelOf(priority), {}, spoken);
  return priority > 3 ? `${word} ${priority}` : word;
}

const levelIcons = { high: "warning", normal: "bell", low: "info" };
const levelMarks = { high: "warning", normal: "bell", low: "low" };
