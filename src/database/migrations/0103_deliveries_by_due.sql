-- What is due longest, of all webhooks: whether deliveries are late is asked every second, whatever waits.
create index delivery_by_due on delivery (due_at) where status = 'pending' and claimed_at is null;
