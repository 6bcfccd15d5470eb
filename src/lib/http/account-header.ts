/** Names the account whose page sends a request: it is refused where another one has signed in in this browser since. */
export const ACCOUNT_HEADER = 'pricetape-account'
