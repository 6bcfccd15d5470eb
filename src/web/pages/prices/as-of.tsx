import { Alert, Button, Group, Loader, Popover, Text } from '@mantine/core'
import { IconClock, IconHistory } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../components/loading/lazy-part.ts'
import { exactInstant } from '../../instants.ts'

const AsOfChoice = lazyPart(() => import('./explorer/as-of-choice.tsx'))

/** Pages that look into the past have `asOf` in their address. */
type Props = {
  asOf?: string | undefined
  newest?: string | undefined
  first?: string | undefined
}

/** Shows which instant a page shows, and lets choose another. Without one a page shows everything that is published. */
export function AsOfPicker({ asOf, newest, first }: Props) {
  const [opened, setOpened] = useState(false)
  const show = useAsOf()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          ref={button}
          variant={asOf ? 'light' : 'default'}
          leftSection={<IconHistory size={16} aria-hidden />}
          onClick={() => setOpened(!opened)}
          aria-haspopup="dialog"
        >
          {asOf ? exactInstant(asOf) : 'As of now'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {newest && first ? (
          <Suspense fallback={<Loader size="sm" />}>
            <AsOfChoice
              from={Date.parse(first)}
              to={Date.parse(newest)}
              asOf={asOf}
              onShow={show}
              onChoose={(instant) => {
                show(instant)
                setOpened(false)
                // What was used goes away: keys go on where it was opened.
                button.current?.focus()
              }}
            />
          </Suspense>
        ) : (
          <Text size="sm" maw={280}>
            Nothing is recorded yet: there is no past to look at.
          </Text>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** The versions of a document that are named may not have been there yet at another instant. */
const NO_VERSIONS = { from: undefined, to: undefined }

/** Returns a function that shows the page as of another instant; undefined is now. */
function useAsOf(): (asOf: string | undefined) => void {
  const navigate = useNavigate()
  return (asOf) =>
    void navigate({ to: '.', search: ((search: object) => ({ ...search, ...NO_VERSIONS, asOf })) as never })
}

/** Says that a page shows the past; `isPartly` where only a part of it does. */
export function PastNotice({ asOf, isPartly = false }: { asOf: string | undefined; isPartly?: boolean }) {
  const show = useAsOf()
  if (asOf === undefined) return null
  return (
    <Alert color="yellow" icon={<IconClock aria-hidden />} p="sm" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {isPartly ? "You're viewing changes until" : "You're viewing prices as of"} <b>{exactInstant(asOf)}</b>.
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            show(undefined)
            // This notice goes away with its button.
            document.querySelector('h1')?.focus({ preventScroll: true })
          }}
        >
          Back to now
        </Button>
      </Group>
    </Alert>
  )
}

/** Says that a page shows what programs cannot read yet. */
export const NotFinal = ({ finalFrom }: { finalFrom: string | undefined }) =>
  finalFrom === undefined ? null : (
    <Text span size="sm" c="dimmed" role="status">
      Includes changes that the API returns from <b>{finalFrom.slice(11, 16)} UTC</b>.
    </Text>
  )
