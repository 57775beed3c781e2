import { Dialog, DialogBackdrop, DialogPanel } from '@headlessui/react'
import type { ReactNode } from 'react'
import { useCloseOnBack } from '../../lib/close-on-back'
import { IconButton } from '../../ui/button'
import { useFocusBack, useOpenAfterFirst } from '../../ui/dialog'

type SideDrawerProps = { onClose: () => void; children: ReactNode }

/** Closes on Escape, an outside press and Back. */
export const SideDrawer = ({ onClose, children }: SideDrawerProps) => {
  useFocusBack(true)
  useCloseOnBack(true, onClose)
  return (
    <Dialog
      open={useOpenAfterFirst(true)}
      onClose={onClose}
      aria-label="Sections"
      className="relative z-40 md:hidden"
    >
      <DialogBackdrop className="fixed inset-0 bg-scrim" />
      <DialogPanel className="fixed inset-y-0 left-0 flex w-72 max-w-full animate-enter flex-col overflow-y-auto bg-head p-3 shadow-overlay">
        <div className="mb-3 flex items-center justify-between pl-3">
          <p className="font-display text-lg font-semibold text-head-ink">Tuckshop</p>
          <IconButton icon="close" label="Close menu" variant="onBrand" onClick={onClose} />
        </div>
        {children}
      </DialogPanel>
    </Dialog>
  )
}
