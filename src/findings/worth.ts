import type { App } from "./app.ts";
import type { StageView } from "./stage-view.ts";

/** Whether saving so much matters to the application. */
export function isWorthOfApplication(ms: number, app: App): boolean {
  return ms >= app.limits.priceMs && ms >= app.limits.priceOfApplication * app.windowMs;
}

/** Whether it matters to its stage. */
export function isWorthOfStage(ms: number, view: StageView, app: App): boolean {
  return ms > 0 && ms >= app.limits.priceOfStage * view.ownMs;
}

/** Both: for what is estimated and no price, and so does not add up over stages. */
export function isWorth(ms: number, view: StageView, app: App): boolean {
  return isWorthOfStage(ms, view, app) && isWorthOfApplication(ms, app);
}
