import {
  Description,
  Dialog as HeadlessDialog,
  DialogBackdrop,
  DialogPanel,
  DialogTitle,
} from '@headlessui/react'
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { classes } from '../lib/classes'
import { useCloseOnBack } from '../lib/close-on-back'
import { IconButton } from './button'

type DialogProps = {
  open: boolean
  /** Escape, close button, outside press, or Back. */
  onClose: () => void
  title: string
  description?: ReactNode
  children?: ReactNode
  /** The main action is last. */
  actions?: ReactNode
  wide?: boolean
}

/** Traps and restores focus; a bottom sheet on phones. Brings Headless UI: on parents' screens load its user with `lazyComponent`. */
export const Dialog = ({ open, onClose, title, description, children, actions, wide }: DialogProps) => {
  useFocusBack(open)
  useCloseOnBack(open, onClose)
  const body = useScrollingByKeys(title)
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  return (
    <HeadlessDialog open={useOpenAfterFirst(open)} onClose={onClose} className="fixed inset-0 z-40">
      <DialogBackdrop className="fixed inset-0 animate-enter bg-scrim" />
      <div className="fixed inset-0 flex items-end justify-center overflow-y-auto sm:items-center sm:p-6">
        <DialogPanel
          ref={keepFocusInside}
          className={classes('sheet', wide ? 'max-w-wide-dialog' : 'max-w-dialog')}
        >
          <div className="flex items-start justify-between gap-3 px-5 pt-4">
            <DialogTitle className="min-w-0 pt-2 font-display text-xl font-semibold">{title}</DialogTitle>
            <IconButton icon="close" label="Close" onClick={onClose} className="-mr-2" />
          </div>
          <div {...body} className="sheet-body min-h-0 flex-1 overflow-y-auto px-5 py-3 -outline-offset-3">
            {description ? <Description className="mb-3 text-muted">{description}</Description> : null}
            <Foot value={foot}>{children}</Foot>
          </div>
          <div
            ref={setFoot}
            className="pb-safe flex flex-col-reverse gap-2 not-empty:border-t not-empty:border-line not-empty:px-5 not-empty:pt-4 sm:flex-row sm:justify-end"
          >
            {actions}
          </div>
        </DialogPanel>
      </div>
    </HeadlessDialog>
  )
}

const Foot = createContext<HTMLElement | null>(null)

/** Actions of what is inside a dialog, at its foot: always in sight. A submit button there names its form. */
export const DialogFoot = ({ children }: { children: ReactNode }) => {
  const foot = use(Foot)
  return foot ? createPortal(children, foot) : null
}

// A pressed button may be replaced by a question: the dialog then takes the focus.
const keepFocusInside = (panel: HTMLElement | null) => {
  const observer = new MutationObserver(() => {
    if (document.activeElement === document.body)
      panel?.closest<HTMLElement>('[role="dialog"]')?.focus({ preventScroll: true })
  })
  if (panel) observer.observe(panel, { childList: true, subtree: true })
  return () => observer.disconnect()
}

/**
 * Headless UI knows no focus from before it loaded, and forgets it when two dialogs close at once. If the opener is gone, its surroundings
 * take the focus.
 */
export const useFocusBack = (open: boolean) => {
  const places = useRef<Element[]>([])
  useLayoutEffect(() => {
    if (open) places.current = fromInnermost(document.activeElement)
  }, [open])
  useEffect(() => (open ? () => void setTimeout(() => giveFocusBack(places.current)) : undefined), [open])
}

const fromInnermost = (element: Element | null): Element[] =>
  element && element !== document.body ? [element, ...fromInnermost(element.parentElement)] : []

const control = ':is(a[href], button, input, select, textarea):not(:disabled, [tabindex="-1"])'

const giveFocusBack = (places: readonly Element[]) => {
  if (document.activeElement && document.activeElement !== document.body) return
  for (const place of places.filter(({ isConnected }) => isConnected)) {
    const next = place.matches(control) ? place : place.querySelector(control)
    if (next instanceof HTMLElement) return next.focus()
  }
}

// Makes long read-only content a Tab stop, so that keys can scroll it.
const useScrollingByKeys = (label: string) => {
  const [isStop, setStop] = useState(false)
  const ref = useCallback((body: HTMLDivElement | null) => {
    const measure = () => {
      if (body) setStop(body.scrollHeight > body.clientHeight && !body.querySelector(control))
    }
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [])
  return isStop ? { ref, tabIndex: 0, role: 'region', 'aria-label': label } : { ref }
}

/**
 * Headless UI hides the page behind only after the first render; a dialog open from the start would leave it reachable for screen readers.
 */
export const useOpenAfterFirst = (open: boolean) => {
  const [drawn, setDrawn] = useState(false)
  // oxlint-disable-next-line react/set-state-in-effect -- the second drawing is what is wanted
  useEffect(() => setDrawn(true), [])
  return open && drawn
}
