import { Anchor, Code, Paper, Stack, Tabs, Text } from '@mantine/core'
import type { ItemDetails } from '../../../api/operator.ts'
import classes from './review.module.css'

type Document = NonNullable<ItemDetails['document']>

/** A document that is held: what it says otherwise than the version in force, and its whole text. */
export function HeldDocument({ title, url, text, difference }: Document) {
  return (
    <Stack gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {title}:{' '}
        {/^https?:\/\//.test(url) ? (
          <Anchor href={url} target="_blank" rel="noreferrer noopener" size="sm">
            {url}
          </Anchor>
        ) : (
          url
        )}
      </Text>
      <Tabs defaultValue={difference ? 'difference' : 'text'} keepMounted={false}>
        <Tabs.List>
          {difference && <Tabs.Tab value="difference">What changed</Tabs.Tab>}
          <Tabs.Tab value="text">Whole text</Tabs.Tab>
        </Tabs.List>
        {difference && (
          <Tabs.Panel value="difference" pt="sm">
            <Text size="sm" c="dimmed" mb="xs">
              {difference.classification}: {difference.wordsRemoved} words removed, {difference.wordsAdded} words added
              {difference.truncated && '. The difference is longer than what is shown'}.
            </Text>
            <Difference diff={difference.diff} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="text" pt="sm">
          <Code
            block
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 480, overflow: 'auto' }}
            tabIndex={0}
          >
            {text}
          </Code>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

const kindOf = (line: string): string | undefined =>
  line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : line.startsWith('@@') ? 'place' : undefined

/** A unified difference: every line keeps its sign, so that it is known by more than its colour. */
const Difference = ({ diff }: { diff: string }) => (
  <Paper withBorder>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard */}
    <section className={classes.diff} tabIndex={0} aria-label="What changed">
      {diff.split('\n').map((line, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move
        <span key={n} data-kind={kindOf(line)}>
          {line || ' '}
        </span>
      ))}
    </section>
  </Paper>
)
