import type { CountAddress } from '../accounts/limits/count-address.ts'
import type { SendAnswer } from '../api/serving/send-answer.ts'
import { createGate } from './access.ts'
import { linkPages } from './link-pages.ts'
import { type App, addRoute } from './route.ts'
import { APP_ROUTES } from './routes.ts'
import { type AppNeeds, createAppTools } from './tools.ts'

type Needs = AppNeeds & { appFolder?: string }

/** The routes behind the app's buttons: for signed-in users, not for API keys, and free to change. */
export function appRoutes(ctx: Needs, sendAnswer: SendAnswer, countAddress: CountAddress) {
  return async (app: App): Promise<void> => {
    const tools = createAppTools(ctx)
    app.addHook('onClose', () => tools.close())
    readJsonAlone(app)
    const gate = createGate(tools, countAddress)
    for (const route of APP_ROUTES) addRoute(app, { tools, gate, sendAnswer }, route)
    if (ctx.appFolder === undefined) linkPages(app)
  }
}

/** A form of another site cannot send JSON. A button that needs no body may send an empty one. */
function readJsonAlone(app: App): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else void parse(request, body as string, done)
  })
}
