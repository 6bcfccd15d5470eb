-- Why a person had to confirm a removal when the line was first missing: how many went with it decides, not how many
-- resources its provider gained since.
alter table price_line add column missing_reason text;
update price_line l set missing_reason = v.reasons[1]
from review v
where v.kind = 'removal' and v.decided_at is null and (v.source, v.provider) = (l.source, l.provider)
  and v.detail->'resources' ? l.resource and l.missing_since is not null and l.removed_at is null;
