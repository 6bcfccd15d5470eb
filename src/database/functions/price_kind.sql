-- What kind of price a line is: its provider, dimension, service, region and the keys of its tier (kindOfPrice in
-- src/prices/authority/authority-rules.ts). A cloud publishes a list for each region, and the list of one says nothing
-- about another.
create or replace function price_kind(provider text, dimension text, pricing_tier text) returns text
language sql immutable parallel safe
return provider || ' ' || dimension || ' ' || coalesce(pricing_tier::jsonb->>'service', '')
       || ' ' || coalesce(pricing_tier::jsonb->>'region', '')
       || coalesce((select string_agg(' ' || key, '' order by key collate "C") from jsonb_object_keys(pricing_tier::jsonb) as key), '');
