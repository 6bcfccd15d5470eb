import { readEventExamples } from '../../events/read-event-examples.ts'
import { listEventExamples } from '../contracts/choices.ts'
import { route } from '../route.ts'

/** GET /v1/choices/events: a body of each event type. */
export const listEventExamplesRoute = route(listEventExamples, async ({ tools }) => ({
  events: await readEventExamples(tools.sql),
}))
