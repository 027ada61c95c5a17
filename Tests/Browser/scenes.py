"""Screens worth looking at, and worth checking for accessibility."""

MODAL, BANNER = "lobby/kiosk-1/modal", "lobby/kiosk-1/banner"

REGIONS = [{"id": n, "name": name} for n, name in enumerate(
    ["North shore", "Old town", "Harbour", "University", "West park", "Airport", "Mill quarter", "Lake side", "Garden city", "South gate"], 1)]
DEPARTMENTS = [{"id": n, "name": name, "detail": detail} for n, (name, detail) in enumerate(
    [("Rentals", "12 people"), ("Sales", "8 people"), ("Maintenance", "21 people"), ("Front desk", "6 people")], 1)]
HOUSES = [{"id": f"h{n}", "name": f"{street} {n}"} for n, street in enumerate(
    ["Cedar Lane", "Quay Street", "Station Road", "Mill Walk", "Orchard Close", "Bridge Street"] * 40, 1)]


def marked(rows, *selected):
    """Rows as they are on the wire."""
    return [{**row, "selected": row["id"] in selected} for row in rows]


FILTER_DATA = {"regions": marked(REGIONS, 2, 3), "departments": marked(DEPARTMENTS, 1), "houses": marked(HOUSES, "h4")}


def idle(driver):
    pass


def stacked(driver):
    driver.show(MODAL, "parcel", 1, params={
        "title": "A parcel is waiting", "body": "Locker 14 is reserved for you until six o'clock this evening.",
        "actions": [{"id": "later", "label": "Later"}, {"id": "open", "label": "Open the locker", "style": "primary"}]})
    driver.show(MODAL, "door", 3, display_ms=30000, params={
        "title": "The east door is open", "body": "It has been open for two minutes. Please close it, or tell the guard.", "icon": "door",
        "actions": [{"id": "ignore", "label": "Ignore"}, {"id": "guard", "label": "Call the guard", "style": "primary"}]})


def filter_dialog(driver):
    driver.show(MODAL, "filter", 2, data=FILTER_DATA, params={
        "title": "What would you like to see?", "icon": "filter", "selection": {"departments": "single"},
        "actions": [{"id": "cancel", "label": "Cancel"}, {"id": "apply", "label": "Show results", "style": "primary"}]})


def banners(driver):
    driver.show(BANNER, "lift", 1, "banner", params={"title": "Lift B rests until noon", "body": "Lift A and the stairs are open."})
    driver.show(BANNER, "rain", 2, "banner", display_ms=60000, params={
        "title": "Heavy rain from three o'clock", "icon": "☔", "actions": [{"id": "map", "label": "Show the map"}]})
    driver.show(MODAL, "pin", 2, params={
        "title": "Who is there?", "body": "Type the code from your invitation.", "icon": "lock",
        "input": {"label": "Code", "placeholder": "6 digits", "type": "tel"},
        "actions": [{"id": "ok", "label": "Let me in"}]})


def sheet(driver):
    driver.show(MODAL, "update", 1, "sheet", params={
        "title": "The map is being renewed", "body": "You can go on in the meantime.", "icon": "download", "progress": 0.62})


def full(driver):
    driver.show(MODAL, "fire", 3, "over_full_screen", params={
        "title": "Leave the building now", "body": "Use the stairs beside the main desk. Do not use the lifts. The meeting point is the car park in front of the building.",
        "icon": "fire", "dismissible": False, "actions": [{"id": "seen", "label": "I have read this", "style": "danger"}]})


def arabic(driver):
    driver.show(MODAL, "ar", 2, display_ms=20000, params={
        "title": "موعدك بعد عشر دقائق", "body": "الرجاء التوجه إلى الطابق الثالث، الغرفة 305. إذا تأخرت فأخبر مكتب الاستقبال.", "lang": "ar",
        "icon": "clock", "actions": [{"id": "late", "label": "سأتأخر"}, {"id": "go", "label": "أنا في الطريق", "style": "primary"}]})


def chinese(driver):
    driver.show(MODAL, "zh", 1, params={
        "title": "请到三号窗口办理", "body": "您的号码是 A128。请带好身份证和预约单，前面还有两位。", "lang": "zh-Hans", "icon": "🎫", "progress": None,
        "actions": [{"id": "ok", "label": "知道了"}]})


def long_text(driver):
    driver.show(MODAL, "long", 2, params={
        "title": "Terms of use of the reading room and of everything that is in it, " * 3, "body": "Books stay in the room. " * 220 + "\n" + "W" * 300,
        "actions": [{"id": "no", "label": "I would rather not agree with this today"}, {"id": "yes", "label": "I agree", "style": "primary"}]})


def lost(driver):
    stacked(driver)
    driver.link("stale")


ALL = {f.__name__: f for f in (idle, stacked, filter_dialog, banners, sheet, full, arabic, chinese, long_text, lost)}
SIZES = {"wide": (1920, 1080), "tall": (1080, 1920), "small": (360, 640)}
