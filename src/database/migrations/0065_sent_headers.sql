-- What was sent with an attempt and cannot be made again: when it was signed, in seconds, and the signatures.
alter table attempt add column webhook_timestamp bigint, add column webhook_signature text;
