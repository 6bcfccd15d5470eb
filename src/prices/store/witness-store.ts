import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import type { LineIdentity, Money, Proof } from '../schema.ts'

/** A price line as a witness source shows it. */
export type WitnessPrice = LineIdentity &
  Pick<Money, 'price' | 'canonicalResource' | 'effectiveFrom'> & { proof?: Proof; locator: string }

/** Makes exactly these the prices that a witness source shows. A price that stays keeps the instant it came. */
export async function replaceWitnessPrices(
  tx: Tx,
  source: string,
  at: Instant,
  prices: WitnessPrice[],
): Promise<{ changed: number }> {
  const shown = prices.map(({ proof, ...price }) => ({
    ...price,
    proofUrl: proof?.url,
    confidence: proof?.confidence,
    validatedOn: proof?.validatedOn,
  }))
  const [counted] = await tx<{ changed: number }[]>`
    with shown as (
      select * from jsonb_to_recordset(${tx.json(shown)}::jsonb)
        as s (provider text, resource text, dimension text, unit text, currency text, "pricingTier" text, price numeric,
              "canonicalResource" text, "effectiveFrom" text, "proofUrl" text, confidence text, "validatedOn" text,
              locator text)
    ), before as (
      select provider, resource, dimension, unit, currency, pricing_tier, price from witness_price
      where source = ${source}
    ), gone as (
      delete from witness_price w
      where w.source = ${source} and not exists (
        select from shown s
        where (s.provider, s.resource, s.dimension, s.unit, s.currency, s."pricingTier")
            = (w.provider, w.resource, w.dimension, w.unit, w.currency, w.pricing_tier))
      returning 1
    ), written as (
      insert into witness_price as w (source, provider, resource, dimension, unit, currency, pricing_tier, price,
        canonical_resource, effective_from, proof_url, confidence, validated_on, locator, shown_since)
      select ${source}, provider, resource, dimension, unit, currency, "pricingTier", price, "canonicalResource",
             "effectiveFrom", "proofUrl", confidence, "validatedOn", locator, ${at}
      from shown
      on conflict (source, provider, resource, dimension, unit, currency, pricing_tier) do update
      set price = excluded.price, canonical_resource = excluded.canonical_resource,
          effective_from = excluded.effective_from, proof_url = excluded.proof_url, confidence = excluded.confidence,
          validated_on = excluded.validated_on, locator = excluded.locator,
          shown_since = case when w.price = excluded.price then w.shown_since else excluded.shown_since end
      returning 1
    )
    select (select count(*) from gone)::int + (
             select count(*) from shown s left join before b
               on (s.provider, s.resource, s.dimension, s.unit, s.currency, s."pricingTier")
                = (b.provider, b.resource, b.dimension, b.unit, b.currency, b.pricing_tier)
             where b.price is distinct from s.price)::int as changed`
  return counted!
}

/** A price that a source claims for a line; `key` is the caller's name for it. */
export type Claim = LineIdentity & { key: string; canonicalResource?: string }

/** What another source shows for a claimed line, at the same seller and in the same tier. */
export type Witness = {
  key: string
  source: string
  format: string
  /** Its name of the resource. */
  resource: string
  price: string
  /** Since when it shows this price. */
  since: Instant
  effectiveFrom?: string
  proof?: Proof
  /** Where its snapshot has the price. */
  snapshotHash?: string
  locator?: string
}

type Optional = 'effectiveFrom' | 'snapshotHash' | 'locator' | 'proofUrl' | 'confidence' | 'validatedOn'
type WitnessRow = Omit<Witness, 'proof' | Optional> & { [K in Optional]: string | null }

/**
 * Returns what sources of other origin show for these lines: witness sources, and sources that are served themselves.
 * They may agree with a claim or not. Formats of one family copy one another and are one origin: `family` lists the
 * formats of the claiming source's family. A source that is no longer declared says nothing.
 */
export async function witnessesOf(db: Db, source: string, family: string[], claims: Claim[]): Promise<Witness[]> {
  if (claims.length === 0) return []
  const rows = await db<WitnessRow[]>`
    with claim as (
      select * from jsonb_to_recordset(${db.json(claims)}::jsonb)
        as c (key text, provider text, resource text, "canonicalResource" text, dimension text, unit text, currency text,
              "pricingTier" text)
    )
    select c.key, w.source, s.format, w.resource, w.price::text, w.shown_since as since,
           w.effective_from as "effectiveFrom", w.proof_url as "proofUrl", w.confidence,
           w.validated_on as "validatedOn", s.ingested_hash as "snapshotHash", w.locator
    from claim c
    join witness_price w on (w.provider, w.dimension, w.unit, w.currency, w.pricing_tier)
                          = (c.provider, c.dimension, c.unit, c.currency, c."pricingTier")
    join source s on s.source = w.source
    where s.declared and s.source <> ${source} and s.format <> all(${family}::text[])
      and (w.resource = c.resource or w.canonical_resource = c."canonicalResource")
    union all
    select c.key, l.source, s.format, l.resource, r.price::text, r.recorded_at, r.effective_from, null, null, null,
           r.snapshot_hash, r.locator
    from claim c
    join price_line l on (l.provider, l.dimension, l.unit, l.currency, l.pricing_tier)
                       = (c.provider, c.dimension, c.unit, c.currency, c."pricingTier")
    join source s on s.source = l.source
    join price_row r on r.content_hash = l.current_hash
    where not s.witness and s.source <> ${source} and s.format <> all(${family}::text[])
      and l.removed_at is null
      and (l.resource = c.resource or r.canonical_resource = c."canonicalResource")
    order by 2, 4`
  return rows.map(witness)
}

function witness({
  proofUrl,
  confidence,
  validatedOn,
  effectiveFrom,
  snapshotHash,
  locator,
  ...row
}: WitnessRow): Witness {
  const found: Witness = {
    ...row,
    effectiveFrom: effectiveFrom ?? undefined,
    snapshotHash: snapshotHash ?? undefined,
    locator: locator ?? undefined,
  }
  if (proofUrl === null) return found
  return {
    ...found,
    proof: { url: proofUrl, confidence: confidence ?? undefined, validatedOn: validatedOn ?? undefined },
  }
}
