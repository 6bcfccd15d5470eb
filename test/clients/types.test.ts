import { describe, expect, expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import type { ErrorCode } from '../../clients/typescript/src/errors.ts'
import type * as events from '../../clients/typescript/src/events.ts'
import { firstPagePath, type HistoryQuery, nextPagePath } from '../../clients/typescript/src/query.ts'
import type {
  Aliases,
  Catalog,
  ConsistencyProof,
  HistoryPage,
  LogKeys,
  PageProof,
  Provider,
  RowProof,
} from '../../clients/typescript/src/types.ts'
import type { aliasesAnswer, catalogAnswer, historyAnswer, providersAnswer } from '../../src/api/schema.ts'
import type { aliasMemberAdded } from '../../src/events/payloads/alias-member-added.ts'
import type { aliasMemberRemoved } from '../../src/events/payloads/alias-member-removed.ts'
import type { priceAnnounced } from '../../src/events/payloads/price-announced.ts'
import type { priceChanged } from '../../src/events/payloads/price-changed.ts'
import type { priceCorrected } from '../../src/events/payloads/price-corrected.ts'
import type { priceRevised } from '../../src/events/payloads/price-revised.ts'
import type { providerAdded } from '../../src/events/payloads/provider-added.ts'
import type { resourceAdded } from '../../src/events/payloads/resource-added.ts'
import type { resourceRemoved } from '../../src/events/payloads/resource-removed.ts'
import type { resourceRenamed } from '../../src/events/payloads/resource-renamed.ts'
import type { tosChanged } from '../../src/events/payloads/tos-changed.ts'
import type { ErrorCode as CatalogueCode } from '../../src/lib/errors.ts'
import type { pageProof } from '../../src/proof/page-proof-schema.ts'
import type { consistency, inclusion, logKeys } from '../../src/proof/schema.ts'
import { testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

/** The OpenAPI document is generated from these schemas; the compiler compares them with the client's types. */
describe('the types of the TypeScript client', () => {
  const db = testDatabase()
  const api = testApi(db)

  it('are the answers of the OpenAPI document', () => {
    expectTypeOf<HistoryPage>().toEqualTypeOf<z.output<typeof historyAnswer>>()
    expectTypeOf<{ providers: Provider[] }>().toEqualTypeOf<z.output<typeof providersAnswer>>()
    expectTypeOf<Aliases>().toEqualTypeOf<z.output<typeof aliasesAnswer>>()
    expectTypeOf<Catalog>().toEqualTypeOf<z.output<typeof catalogAnswer>>()
    expectTypeOf<Flat<RowProof>>().toEqualTypeOf<Flat<z.output<typeof inclusion>>>()
    expectTypeOf<Flat<PageProof>>().toEqualTypeOf<Flat<z.output<typeof pageProof>>>()
    expectTypeOf<Flat<ConsistencyProof>>().toEqualTypeOf<Flat<z.output<typeof consistency>>>()
    expectTypeOf<z.output<typeof logKeys>>().toExtend<LogKeys>()
  })

  it('are the bodies of webhooks', () => {
    expectTypeOf<Flat<events.PriceChanged>>().toEqualTypeOf<Flat<z.output<typeof priceChanged>>>()
    expectTypeOf<Flat<events.PriceAnnounced>>().toEqualTypeOf<Flat<z.output<typeof priceAnnounced>>>()
    expectTypeOf<Flat<events.PriceRevised>>().toEqualTypeOf<Flat<z.output<typeof priceRevised>>>()
    expectTypeOf<Flat<events.PriceCorrected>>().toEqualTypeOf<Flat<z.output<typeof priceCorrected>>>()
    expectTypeOf<Flat<events.ResourceAdded>>().toEqualTypeOf<Flat<z.output<typeof resourceAdded>>>()
    expectTypeOf<Flat<events.ResourceRemoved>>().toEqualTypeOf<Flat<z.output<typeof resourceRemoved>>>()
    expectTypeOf<Flat<events.ResourceRenamed>>().toEqualTypeOf<Flat<z.output<typeof resourceRenamed>>>()
    expectTypeOf<Flat<events.ProviderAdded>>().toEqualTypeOf<Flat<z.output<typeof providerAdded>>>()
    expectTypeOf<Flat<events.AliasMemberAdded>>().toEqualTypeOf<Flat<z.output<typeof aliasMemberAdded>>>()
    expectTypeOf<Flat<events.AliasMemberRemoved>>().toEqualTypeOf<Flat<z.output<typeof aliasMemberRemoved>>>()
    expectTypeOf<Flat<events.TosChanged>>().toEqualTypeOf<Flat<z.output<typeof tosChanged>>>()
  })

  it('know every error code but those of the app and the command line', () => {
    type Elsewhere =
      | 'invalid_body'
      | 'invalid_url'
      | 'forbidden'
      | 'webhook_limit'
      | 'webhook_paused'
      | 'webhook_changed'
      | 'review_changed'
      | 'api_key_limit'
      | 'workspace_in_use'
      | 'organization_limit'
      | 'organization_busy'
      | 'invitation_limit'
      | 'invalid_link'
      | 'invalid_credentials'
      | 'account_exists'
      | 'already_member'
      | 'last_admin'
      | 'last_operator'
      | 'code_required'
      | 'invalid_code'
      | 'second_factor_on'
      | 'identity_refused'
      | 'identity_in_use'
      | 'identity_unavailable'
      | 'last_way_in'
      | 'member_limit'
      | 'invalid_passkey'
      | 'passkey_limit'
      | 'watch_limit'
      | 'watch_exists'
    expectTypeOf<ErrorCode | Elsewhere>().toEqualTypeOf<CatalogueCode>()
  })

  it('offer every parameter of the price history', async () => {
    const all: Required<HistoryQuery> = {
      providers: ['acme'],
      asOf: new Date(0),
      alias: 'x',
      resource: ['a, b'],
      canonicalResource: ['c'],
      dimension: ['input_tokens'],
      current: true,
      confirmed: 'provider',
      include: ['confirmation'],
      since: new Date(0),
      limit: 1,
    }
    const sent = [firstPagePath(all), nextPagePath('c', 1)].flatMap((path) => [
      ...new URL(path, 'http://x').searchParams.keys(),
    ])
    type Operation = { parameters: { name: string }[] }
    const { paths } = (await api.get('/openapi.json')).json as { paths: Record<string, { get: Operation }> }
    const documented = paths['/v1/prices/history']!.get.parameters.map(({ name }) => name)
    expect([...new Set(sent)].sort()).toEqual(documented.sort())
  })
})

/**
 * A type written as one object at every level: how it was put together plays no part. The keys of a tier are the
 * service's; to a client any may come.
 */
type Flat<T> = T extends (infer Item)[]
  ? Flat<Item>[]
  : T extends object
    ? { [K in keyof T]: K extends 'pricingTier' ? Record<string, string> : Flat<T[K]> }
    : T
