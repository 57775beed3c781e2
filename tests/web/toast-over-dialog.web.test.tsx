import './admin/browser-gaps'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { toast } from '../../web/lib/toast'
import { Dialog } from '../../web/ui/dialog'
import { Toasts } from '../../web/ui/toasts'

test('a notification over an open dialog can be read and dismissed, and the dialog stays', async () => {
  render(
    <>
      <Dialog open onClose={() => undefined} title="Mark as Refunded">
        <button type="button">Inside</button>
      </Dialog>
      <Toasts />
    </>,
  )
  const dialog = await screen.findByRole('dialog', { name: 'Mark as Refunded' })
  act(() => toast({ title: 'Error', text: 'The bank is away', kind: 'error' }))
  const notification = screen.getByRole('alert')
  expect(notification.closest('[inert], [aria-hidden="true"]')).toBeNull()
  await userEvent.setup().click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(notification.dataset.state).toBe('leaving')
  expect(dialog.isConnected).toBe(true)
})
