-- The address of a feed ends with its account.
delete from feed_address f where not exists (select from account a where a.account_id = f.account_id);
alter table feed_address add foreign key (account_id) references account on delete cascade;
