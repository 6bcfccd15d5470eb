import { ActionIcon, Button, Kbd, Paper, Portal } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Suspense, useState, useSyncExternalStore } from 'react'
import { missingPart } from '../../api/connection/missing-part.ts'
import { lazyPart } from '../loading/lazy-part.ts'
import { useEarlyKeys } from './use-early-keys.ts'

/** Loaded when it is opened first: the start of the app is smaller without it. */
const MemberPalette = lazyPart(async () => ({ default: (await import('./palette.tsx')).MemberPalette }))
const VisitorPalette = lazyPart(async () => ({ default: (await import('./palette.tsx')).VisitorPalette }))

/** Opens the command palette; ⌘K and Ctrl+K do too, also while something is typed. */
export function PaletteButton({ isForVisitors = false }: { isForVisitors?: boolean }) {
  const Palette = isForVisitors ? VisitorPalette : MemberPalette
  const [isOpen, setOpen] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isMissing = useSyncExternalStore(missingPart.subscribe, missingPart.is)
  const open = () => setOpen(true)
  const close = () => {
    setOpen(false)
    setFocused(false)
    early.give()
  }
  const early = useEarlyKeys(isOpen && !isFocused && !isMissing, close)
  const onFocus = () => {
    setFocused(true)
    return early.give()
  }
  useHotkeys([['mod+K', open]], [])
  return (
    <>
      <Button
        variant="default"
        onClick={open}
        visibleFrom="md"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<Kbd size="xs">{/Mac|iP/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</Kbd>}
        fw={400}
      >
        Find
      </Button>
      <ActionIcon variant="default" size={36} onClick={open} hiddenFrom="md" aria-label="Find">
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <Suspense fallback={<Typed text={early.text} />}>
          <Palette onClose={close} onFocus={onFocus} />
        </Suspense>
      )}
    </>
  )
}

/** What is typed while the palette is loaded. */
const Typed = ({ text }: { text: string }) => (
  <Portal>
    <Paper role="status" className="palette-typed" withBorder shadow="md" p="md">
      {text === '' ? 'Loading …' : text}
    </Paper>
  </Portal>
)
