const model = new ScreenModel(settings.surfaces, settings.slots);
const screenView = new Screen(model);
startClock();
const eventLink = new EventLink(model, screenView);
