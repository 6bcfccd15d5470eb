import { expect, it } from 'vitest'
import { shownAddress } from '../../src/catalog/address-rules.ts'

it.each([
  ['https://a.example/prices?page=2', 'https://a.example/prices?page=2'],
  ["https://a.example/p?$filter=name%20eq%20'X'", "https://a.example/p?$filter=name%20eq%20'X'"],
  ['https://user:pass@a.example/prices', 'https://a.example/prices'],
  ['https://:pass@a.example/prices', 'https://a.example/prices'],
  ['https://a.example/?apiKey=abc&x=1&KEY=d&key=e', 'https://a.example/?apiKey=hidden&x=1&KEY=hidden&key=hidden'],
  ['https://a.example/?access_token=1&sig=2&password=3&auth=4', 'https://a.example/?access_token=hidden&sig=hidden&password=hidden&auth=hidden'],
  ['https://a.example/?pwd=1&credential=2&jwt=3&session=4', 'https://a.example/?pwd=hidden&credential=hidden&jwt=hidden&session=hidden'],
  ['curated/snowflake.json', 'snowflake.json'],
  ['/srv/secret place/prices.csv', 'prices.csv'],
  ['C:\\prices\\list.csv', 'list.csv'],
  ['https://', ''],
])('%s is shown as %s', (declared, shown) => {
  expect(shownAddress(declared)).toBe(shown)
}) // biome-ignore format: a table
