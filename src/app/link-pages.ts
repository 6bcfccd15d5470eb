import { LINK_PATHS } from '../accounts/users/links/link-rules.ts'
import type { App } from './route.ts'

const TEXT = `This link works once. Its token is what follows #token= in the address.

An invitation, a sign-up or the first account (which also takes an "email"):
  curl -c cookies -H 'content-type: application/json' \\
    -d '{"token":"TOKEN","name":"NAME","password":"PASSWORD"}' ORIGIN/v1/account

An invitation, when you have an account and are signed in:
  curl -b cookies -H 'content-type: application/json' -d '{"token":"TOKEN"}' ORIGIN/v1/invitations/accept

A new password:
  curl -H 'content-type: application/json' -d '{"token":"TOKEN","password":"PASSWORD"}' ORIGIN/v1/password-reset/confirm

Your e-mail address:
  curl -H 'content-type: application/json' -d '{"token":"TOKEN"}' ORIGIN/v1/account/verification/confirm
`

/** What links open where the app is not built: how to use their token. */
export function linkPages(app: App): void {
  for (const path of LINK_PATHS) {
    app.get(path, { schema: { hide: true } }, async ({ protocol, host }, reply) => {
      const origin = `${protocol}://${host}`
      return reply.type('text/plain; charset=utf-8').send(TEXT.replaceAll('ORIGIN', origin))
    })
  }
}
