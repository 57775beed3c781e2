import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { classes } from '../lib/classes'
import { dismissToast, holdToast, releaseToast, toastStore } from '../lib/toast'
import type { Toast, ToastKind } from '../lib/toast'
import { Icon } from './icon'
import type { IconName } from './icon'

const looks: Record<ToastKind, { frame: string; icon: IconName }> = {
  success: { frame: 'border-brand-600 text-brand-700', icon: 'check' },
  error: { frame: 'border-danger-600 text-danger-600', icon: 'alert' },
  info: { frame: 'border-info-700 text-info-700', icon: 'info' },
  warning: { frame: 'border-warning-700 text-warning-700', icon: 'alert' },
}

/**
 * Draws the notification of `toast()`, one at a time; put it once into the page. Announced as it appears. It stands
 * beside the application, not in it, so that an open dialog, which puts the application out of reach, spares it.
 */
export const Toasts = () => {
  const list = useSyncExternalStore(toastStore.subscribe, toastStore.read)
  const visible = list.filter((one) => one.state !== 'gone')
  return createPortal(
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-3 z-50 flex justify-center px-3"
    >
      {visible.map((one) => (
        <ToastCard key={one.id} toast={one} />
      ))}
    </div>,
    document.body,
  )
}

const ToastCard = ({ toast }: { toast: Toast }) => {
  const { frame, icon } = looks[toast.kind]
  const hold = () => holdToast(toast.id)
  const release = () => releaseToast(toast.id)
  return (
    <div
      role={toast.kind === 'error' ? 'alert' : undefined}
      data-state={toast.state}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
      className={classes(
        'pointer-events-auto flex w-full max-w-form items-start gap-3 rounded-lg border-l-4 bg-surface py-3 pr-1 pl-4 shadow-raised',
        toast.state === 'leaving' ? 'animate-leave' : 'animate-enter',
        frame,
      )}
    >
      <Icon name={icon} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold text-ink">{toast.title}</p>
        {toast.text ? <p className="text-sm break-words text-sand-800">{toast.text}</p> : null}
      </div>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => dismissToast(toast.id)}
        className="-my-1.5 tap grid place-items-center rounded-md text-muted hover:bg-sand-100"
      >
        <Icon name="close" size="sm" />
      </button>
    </div>
  )
}
