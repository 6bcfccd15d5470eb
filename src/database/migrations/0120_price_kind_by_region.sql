-- A region is a kind of price of its own: a cloud publishes a list for each, and the list of one region says nothing about
-- another (kindOfPrice in src/prices/authority/authority-rules.ts).
create or replace function price_kind(provider text, dimension text, pricing_tier text) returns text
language sql immutable parallel safe
return provider || ' ' || dimension || ' ' || coalesce(pricing_tier::jsonb->>'service', '')
       || ' ' || coalesce(pricing_tier::jsonb->>'region', '')
       || coalesce((select string_agg(' ' || key, '' order by key collate "C") from jsonb_object_keys(pricing_tier::jsonb) as key), '');
