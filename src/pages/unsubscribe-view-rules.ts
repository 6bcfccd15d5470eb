import { subjectText } from '../watches/mail-rules.ts'
import type { WatchView } from '../watches/schema.ts'
import { type Html, html } from './html-rules.ts'
import { page } from './layout-rules.ts'

const subjects = (watches: WatchView[]): Html =>
  watches.length === 0 ? html`` : html`<ul>${watches.map((watch) => html`<li>${subjectText(watch)}</li>`)}</ul>`

const AGAIN = html`<p>Sign in to receive them again: <a href="/account/watches">what you watch</a>.</p>`

/** Returns the page that asks whether to unsubscribe. */
export function askedPage(watches: WatchView[]): Buffer {
  if (watches.every(({ pausedAt }) => pausedAt !== null)) return donePage(watches)
  return page(
    'Unsubscribe · Pricetape',
    html`<h1>Unsubscribe?</h1>
<p class="lead">You will get no more mails about changes of:</p>
${subjects(watches)}
<form method="post"><button type="submit">Unsubscribe</button></form>`,
  )
}

/** Returns the page that says so. */
export const donePage = (watches: WatchView[]): Buffer =>
  page(
    'Unsubscribed · Pricetape',
    html`<h1>You are unsubscribed</h1>
<p class="lead" role="status">${watches.length === 0 ? 'You get no more of these mails.' : 'You get no more mails about changes of:'}</p>
${subjects(watches)}
${AGAIN}`,
  )
