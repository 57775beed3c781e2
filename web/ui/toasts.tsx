import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { classes } from '../lib/classes'
import { dismissToast, holdToast, releaseToast, type Toast, type ToastKind, toastStore } from '../lib/toast'
import { Breakable } from './badge'
import { Icon, type IconName } from './icon'

const icons: Record<ToastKind, IconName> = {
  success: 'check',
  error: 'alert',
  info: 'info',
  warning: 'alert',
}

/**
 * Renders `toast()`, one at a time, announced; mount once. Outside the application, so that dialogs do not make it inert; F8 focuses it. It
 * covers no button at the foot of a phone.
 */
export const Toasts = () => {
  const list = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.read)
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    const jump = (event: globalThis.KeyboardEvent) =>
      event.key === 'F8' && region.current?.querySelector('button')?.focus()
    document.addEventListener('keydown', jump)
    return () => document.removeEventListener('keydown', jump)
  }, [])
  return createPortal(
    <section ref={region} aria-label="Notifications (F8)" aria-live="polite" className="toasts">
      {list.map((one) => (one.state === 'gone' ? null : <ToastCard key={one.id} toast={one} />))}
    </section>,
    document.body,
  )
}

const ToastCard = ({ toast: { id, kind, state, title, text } }: { toast: Toast }) => {
  const before = useRef<EventTarget>(null)
  const hold = (event?: FocusEvent) => {
    before.current ??= event?.relatedTarget ?? null
    holdToast(id)
  }
  const release = () => releaseToast(id)
  const dismiss = () => {
    dismissToast(id)
    if (before.current instanceof HTMLElement) before.current.focus()
  }
  // Otherwise a dialog below would handle it too.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    dismiss()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- waits while someone reads it
    <div
      role={kind === 'error' ? 'alert' : undefined}
      data-state={state}
      onMouseEnter={() => hold()}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
      onKeyDown={onKeyDown}
      className={classes(`toast toast-${kind}`, state === 'leaving' ? 'animate-leave' : 'animate-enter')}
    >
      <Icon name={icons[kind]} />
      <div className="min-w-0 flex-1 py-2.5">
        <p className="font-semibold">{title}</p>
        {text ? (
          <p className="text-sm break-words">
            <Breakable text={text} />
          </p>
        ) : null}
      </div>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={dismiss}
        className="tap grid place-items-center rounded-md"
      >
        <Icon name="close" size="sm" />
      </button>
    </div>
  )
}
