import { requestSignUp } from '../../accounts/users/links/request-links.ts'
import { signUp } from '../contracts/account.ts'
import { route } from '../route.ts'

/** POST /v1/sign-up: mails a link with which an address creates its account. */
export const signUpRoute = route(signUp, async ({ tools, body, device }) => {
  await requestSignUp(tools.sql, tools.mail, { ...body, signUp: tools.signUp, address: device.address })
})
