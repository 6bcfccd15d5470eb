import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../../app/contracts.ts'
import * as identities from '../../app/identities/endpoints.ts'
import { call } from './connection/client.ts'
import { keepVisit } from './connection/provider-visit.ts'

type List = AnswerOf<typeof identities.listIdentities>
export type Identity = List['identities'][number]

export const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: () => call(identities.listIdentities, {}),
})

/** Leaves for the page of the identity provider. @param next the page that the sign-in leads back to */
export async function goToProvider(next: string): Promise<void> {
  const { url } = await call(identities.beginProviderSignIn, {})
  keepVisit({ links: false, next })
  location.assign(url)
}

/** The same, to link the signed-in user's account. */
export async function goToLink(body: { currentPassword?: string }): Promise<void> {
  const { url } = await call(identities.beginLink, { body })
  keepVisit({ links: true, next: '/account' })
  location.assign(url)
}

export const signInWithProvider = (answer: string) => call(identities.signInWithProvider, { body: { answer } })
export const linkIdentity = (answer: string) => call(identities.linkIdentity, { body: { answer } })
export const unlinkIdentity = (identityId: string, body: { currentPassword: string }) =>
  call(identities.unlinkIdentity, {
    params: { identityId },
    body,
  })
