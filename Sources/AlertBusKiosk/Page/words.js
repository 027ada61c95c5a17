// The page's own words. What producers write is never translated.
const settings = JSON.parse(document.querySelector('meta[name="alertbus"]').content);

const words = {
  en: {
    high: "Urgent", normal: "Important", low: "Notice", dismiss: "Dismiss", ok: "OK", search: "Search", notices: "Notices",
    alerts: "Alerts", answer: "Answer", selected: "{n} selected", nothing: "Nothing found", more: "Show {n} more",
    working: "Working", left: "{time} left", connected: "Connected", ready: "Ready",
    lost: "Connection lost. This is the last known screen; it comes back by itself.",
    alreadyEnded: "Already answered elsewhere.", stale: "This has just changed. Please look again.",
    notConnected: "Not connected. Nothing was sent.", failed: "This could not be sent. Please try again.",
  },
  de: {
    high: "Dringend", normal: "Wichtig", low: "Hinweis", dismiss: "Schließen", ok: "OK", search: "Suchen", notices: "Hinweise",
    alerts: "Meldungen", answer: "Antwort", selected: "{n} ausgewählt", nothing: "Nichts gefunden", more: "{n} weitere zeigen",
    working: "In Arbeit", left: "noch {time}", connected: "Verbunden", ready: "Bereit",
    lost: "Verbindung verloren. Dies ist der letzte bekannte Stand; er erneuert sich von selbst.",
    alreadyEnded: "Schon anderswo beantwortet.", stale: "Das hat sich gerade geändert. Bitte noch einmal ansehen.",
    notConnected: "Nicht verbunden. Nichts wurde gesendet.", failed: "Das Senden ist misslungen. Bitte noch einmal versuchen.",
  },
  zh: {
    high: "紧急", normal: "重要", low: "通知", dismiss: "关闭", ok: "确定", search: "搜索", notices: "通知",
    alerts: "提醒", answer: "回答", selected: "已选 {n} 项", nothing: "没有结果", more: "再显示 {n} 项",
    working: "处理中", left: "剩余 {time}", connected: "已连接", ready: "就绪",
    lost: "连接已断开。当前显示的是最后的画面，恢复后会自动更新。",
    alreadyEnded: "已在别处处理。", stale: "内容刚刚更新，请重新查看。",
    notConnected: "未连接，没有发送。", failed: "发送失败，请重试。",
  },
  ar: {
    high: "عاجل", normal: "مهم", low: "إشعار", dismiss: "إغلاق", ok: "موافق", search: "بحث", notices: "إشعارات",
    alerts: "تنبيهات", answer: "إجابة", selected: "المحدد: {n}", nothing: "لا توجد نتائج", more: "عرض {n} أخرى",
    working: "جارٍ العمل", left: "المتبقي {time}", connected: "متصل", ready: "جاهز",
    lost: "انقطع الاتصال. هذه آخر شاشة معروفة، وستعود تلقائيًا.",
    alreadyEnded: "تمت الإجابة في مكان آخر.", stale: "تغيّر هذا للتو. يرجى النظر مرة أخرى.",
    notConnected: "غير متصل. لم يُرسل شيء.", failed: "تعذّر الإرسال. حاول مرة أخرى.",
  },
};

// The first of the wanted languages that there are words for; undefined when there is none.
function findLanguage(tags) {
  const tag = tags.filter((wanted) => typeof wanted === "string" && wanted).find((wanted) => words[wanted.toLowerCase().split("-")[0]]);
  return tag && { tag, table: words[tag.toLowerCase().split("-")[0]] };
}

// The page's language. An alert that names another one with words gets those.
const language = findLanguage([settings.language, ...navigator.languages]) ?? { tag: "en", table: words.en };

function say(name, values = {}, spoken = language) {
  return spoken.table[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

document.documentElement.lang = language.tag;
document.documentElement.dir = language.table === words.ar ? "rtl" : "ltr";
