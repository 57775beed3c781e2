import { type ReactNode, useState } from 'react'
import { Dialog } from '../../ui/dialog'
import { PrivacyNotice } from './privacy-notice'

export const ChangedNotice = ({ accept }: { accept: ReactNode }) => {
  const [open, setOpen] = useState(true)
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title="Our privacy notice has changed"
      wide
      actions={accept}
    >
      <PrivacyNotice />
    </Dialog>
  )
}
