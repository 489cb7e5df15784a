// The panels of services: each is a module in panels/ with a class Panel, loaded when its service is first heard of.
//
// new Panel({ root, scene, screen, order, picture }): draws into `root`; `order(name, wish)` gives an order to the service;
// `picture(name)` is the address of a picture. take(facts) shows what the service says now.

import { post } from "./api.js";
import { attempt } from "./notice.js";

export class ServicePanels {
  #panels = new Map();

  constructor(root, scene, screen) {
    this.root = root;
    this.scene = scene;
    this.screen = screen;
  }

  /** Show what a service says; of several words that come while its panel is being loaded, the last. */
  async take({ service, panel, facts }) {
    const known = this.#panels.get(service);
    if (known) {
      known.facts = facts;
      known.shown?.take(facts);
      return;
    }
    const entry = { facts, shown: null };
    this.#panels.set(service, entry);
    const { Panel } = await import(`./panels/${panel}.js`);
    const path = `/api/services/${encodeURIComponent(service)}`;
    const root = document.createElement("section");
    this.root.append(root);
    entry.shown = new Panel({
      root,
      scene: this.scene,
      screen: this.screen,
      order: (name, wish = {}) => attempt(() => post(`${path}/${encodeURIComponent(name)}`, wish)),
      picture: (name) => `${path}/pictures/${encodeURIComponent(name)}`,
    });
    entry.shown.take(entry.facts);
  }
}
