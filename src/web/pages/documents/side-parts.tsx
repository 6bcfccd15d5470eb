import { Anchor, Badge, Group, List, Stack, Text, Title } from '@mantine/core'
import { citedAs, sectionsOf } from '../../../lib/text/document-text.ts'
import { plural } from '../../../lib/text/plural.ts'
import type { DocumentAnswer } from '../../api/documents.ts'
import { useProviderNames } from '../../api/provider-names.ts'
import { CopiedValue } from '../../components/values/copied-value.tsx'
import { toTheMinute } from '../../instants.ts'
import { changeIds, placeKey } from './parts.ts'

/** A text with fewer sections than this is read without a table of contents. */
const MIN_CONTENTS = 5

/** The sections of a long text. */
export function Contents({ rows }: Pick<DocumentAnswer, 'rows'>) {
  const sections = sectionsOf(rows)
  if (sections.length < MIN_CONTENTS) return null
  return (
    <Stack gap="xs" component="nav" aria-labelledby="contents">
      <Title order={2} size="sm" id="contents">
        Contents
      </Title>
      {sections.map(({ id, title, level }) => (
        <Anchor key={id} href={`#${id}`} size="sm" c="bright" underline="hover" pl={level > 2 ? 'md' : 0}>
          <bdi>{title}</bdi>
        </Anchor>
      ))}
    </Stack>
  )
}

/** How what is shown is cited: who said what, since when, and where it stays readable. */
export function Citation({ data: { document, before, after }, isText }: { data: DocumentAnswer; isText: boolean }) {
  const nameOf = useProviderNames()
  const query = isText || !before ? `to=${after.versionId}&view=text` : `from=${before.versionId}&to=${after.versionId}`
  const at = isText || !before ? after.recordedAt : `${before.recordedAt} and ${after.recordedAt}`
  const address = `${location.origin}/documents/${document.provider}/${document.document}?${query}`
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="sm">
        Cite this
      </Title>
      <CopiedValue
        value={`${nameOf(document.provider)}, ${document.title}, as recorded ${at}, ${address}`}
        label="citation"
      />
    </Stack>
  )
}

/** Each change with its topics; leads to its place. */
export function Changes({
  data: { changes, entries, classification, significance, wordsRemoved, wordsAdded, rows },
}: {
  data: DocumentAnswer
}) {
  const ids = changeIds(rows)
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="sm">
        What changed
      </Title>
      <Text size="sm" c="dimmed">
        {changes.length === 0
          ? 'Both versions say the same. What differs is layout or links.'
          : `A ${classification} change, significance ${significance}: ${plural(wordsRemoved, 'word')} removed, ${wordsAdded} added.`}
      </Text>
      {changes.map(({ section, clause, topics, wordsRemoved: removed, wordsAdded: added }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes have no identity but their order
        <div key={n}>
          <Anchor
            href={`#${ids.get(placeKey(section, clause)) ?? ids.get(placeKey(section)) ?? ''}`}
            size="sm"
            c="bright"
            style={{ overflowWrap: 'anywhere' }}
          >
            {clause && `${citedAs(clause)} `}
            {section || 'Before the first heading'}
          </Anchor>
          <Group gap={4}>
            {topics.map((topic) => (
              <Badge key={topic} size="sm" variant="default" tt="none">
                {topic}
              </Badge>
            ))}
            <Text size="xs" c="dimmed">
              −{removed} +{added} words
            </Text>
          </Group>
        </div>
      ))}
      {entries.map((list) => (
        <Entries key={list.section} list={list} />
      ))}
    </Stack>
  )
}

/** The names that a table or a list lost and gained, such as sub-processors. */
const Entries = ({ list: { section, added, removed, changed } }: { list: DocumentAnswer['entries'][number] }) => (
  <div>
    <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
      {section || 'Entries'}
    </Text>
    <List size="sm">
      {removed.map((name) => (
        <List.Item key={`-${name}`}>
          Removed: <del>{name}</del>
        </List.Item>
      ))}
      {added.map((name) => (
        <List.Item key={`+${name}`}>
          Added: <ins>{name}</ins>
        </List.Item>
      ))}
      {changed.map((name) => (
        <List.Item key={name}>Changed: {name}</List.Item>
      ))}
    </List>
  </div>
)

const WHY = {
  cosmetic: 'another layout or spelling, with the same words',
  expired: 'gone before a second fetch confirmed it',
}

/** What was seen and is not a change, and why. */
export function SuppressedParts({ suppressed }: Pick<DocumentAnswer, 'suppressed'>) {
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="sm">
        Left out
      </Title>
      {suppressed.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing was left out of the comparison.
        </Text>
      )}
      {suppressed.map(({ at, status, reasons }) => (
        <Text key={`${at}${status}`} size="sm" c="dimmed">
          {toTheMinute(at)}: {WHY[status]}
          {reasons.length > 0 && ` (${reasons.join(', ')})`}
        </Text>
      ))}
    </Stack>
  )
}
