import type { z } from 'zod'
import type { Answer, Contract } from './contract.ts'
import type { Endpoint } from './endpoint.ts'

type Modules = [
  typeof import('./account/contract.ts'),
  typeof import('./audit/contract.ts'),
  typeof import('./choices/contract.ts'),
  typeof import('./deliveries/contract.ts'),
  typeof import('./documents/contract.ts'),
  typeof import('./feed/contract.ts'),
  typeof import('./identities/contract.ts'),
  typeof import('./invitations/contract.ts'),
  typeof import('./keys/contract.ts'),
  typeof import('./members/contract.ts'),
  typeof import('./operator/accounts/contract.ts'),
  typeof import('./operator/accuracy/contract.ts'),
  typeof import('./operator/aliases/contract.ts'),
  typeof import('./operator/checks/contract.ts'),
  typeof import('./operator/prices/contract.ts'),
  typeof import('./operator/providers/contract.ts'),
  typeof import('./operator/review/contract.ts'),
  typeof import('./operator/sources/contract.ts'),
  typeof import('./operator/workspaces/contract.ts'),
  typeof import('./passkeys/contract.ts'),
  typeof import('./prices/contract.ts'),
  typeof import('./search/contract.ts'),
  typeof import('./second-factor/contract.ts'),
  typeof import('./sessions/contract.ts'),
  typeof import('./watches/contract.ts'),
  typeof import('./webhooks/contract.ts'),
  typeof import('./workspaces/contract.ts'),
]
type ModuleExport<M> = M extends object ? M[keyof M] : never

/** The contract behind an endpoint: the browser names endpoints, which carry no schema, and gets the types from here. */
export type ContractOf<E extends Endpoint> = Extract<ModuleExport<Modules[number]>, E> & Contract

/** What the route at an endpoint answers. */
export type AnswerOf<E extends Endpoint> = Answer<ContractOf<E>>
/** What the route at an endpoint takes. */
export type BodyOf<E extends Endpoint> =
  ContractOf<E> extends { body: infer B extends z.ZodType } ? z.input<B> : undefined
