-- A witness source is read for evidence alone: its prices are never price lines.
alter table source add witness boolean not null default false;

-- What each witness source shows now, one row per line, as read from the snapshot that the source was last ingested
-- from. `shown_since` is when it first showed this price.
create table witness_price (
  source text not null references source,
  provider text not null,
  resource text not null,
  dimension text not null,
  unit text not null,
  currency text not null,
  pricing_tier text not null,
  price numeric not null,
  canonical_resource text,
  effective_from text,
  proof_url text,
  confidence text,
  validated_on text,
  locator text not null,
  shown_since timestamptz(3) not null,
  primary key (source, provider, resource, dimension, unit, currency, pricing_tier)
);
create index witness_price_by_line on witness_price (provider, dimension, unit, currency, pricing_tier);
