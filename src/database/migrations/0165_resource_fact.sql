-- What sources state of resources beside their prices, each as it was stated: context window and output limit in tokens, and the
-- day of release. Stamped by the publication clock: a fact is shown from `at` on, and no longer from `ended_at` on.
create table resource_fact (
  fact_id bigint generated always as identity primary key,
  source text not null references source,
  provider text not null,
  resource text not null,
  fact text not null check (fact in ('context', 'output', 'released')),
  value text not null,
  -- Since when the source states this value without a break.
  stated_since timestamptz(3) not null,
  at timestamptz(3) not null check (at >= stated_since),
  ended_at timestamptz(3) check (ended_at > at),
  -- The place of the source then: the nearest one to the provider is shown.
  rank smallint not null,
  position integer
);
create unique index resource_fact_now on resource_fact (source, provider, resource, fact) where ended_at is null;
create index resource_fact_of_resource on resource_fact (provider, resource);
