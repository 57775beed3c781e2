import './admin/browser-gaps'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { toast } from '../../web/lib/toast'
import { Button } from '../../web/ui/button'
import { ConfirmDialog } from '../../web/ui/confirm-dialog'
import { Dialog } from '../../web/ui/dialog'
import { Toasts } from '../../web/ui/toasts'

const Page = () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Refund Policy"
        actions={<Button onClick={() => setOpen(false)}>Done</Button>}
      >
        <input aria-label="Name" />
      </Dialog>
      <Toasts />
    </>
  )
}

const opened = async () => {
  const hands = userEvent.setup()
  render(<Page />)
  await hands.click(screen.getByRole('button', { name: 'Open' }))
  return { hands, dialog: await screen.findByRole('dialog', { name: 'Refund Policy' }) }
}
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())

test('Tab goes round inside and never out to the page', async () => {
  const { hands, dialog } = await opened()
  const seen = new Set<Element | null>()
  for (let step = 0; step < 6; step++) {
    await hands.tab()
    expect(dialog.contains(document.activeElement)).toBe(true)
    seen.add(document.activeElement)
  }
  const stops = ['Close', 'Name', 'Done'].map(
    (name) => screen.queryByLabelText(name) ?? screen.getByText(name).closest('button'),
  )
  for (const stop of stops) expect(seen).toContain(stop)
})

const Asking = () => {
  const [asked, setAsked] = useState(false)
  return (
    <Dialog open title="Closed day" onClose={() => undefined}>
      {asked ? <p>Are you sure?</p> : <Button onClick={() => setAsked(true)}>Undo</Button>}
    </Dialog>
  )
}

test('keeps the focus when what was pressed gives way to something else', async () => {
  const hands = userEvent.setup()
  render(<Asking />)
  const dialog = await screen.findByRole('dialog', { name: 'Closed day' })
  screen.getByRole('button', { name: 'Undo' }).focus()
  await hands.keyboard('{Enter}')
  expect(await screen.findByText('Are you sure?')).toBeInTheDocument()
  await waitFor(() => expect(dialog).toHaveFocus())
})

test('Escape closes it, and the focus is back on what opened it', async () => {
  const { hands } = await opened()
  await hands.keyboard('{Escape}')
  await isClosed()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'))
})

test('the page under it does not scroll while it is open', async () => {
  const { hands } = await opened()
  await waitFor(() => expect(document.documentElement.style.overflow).toBe('hidden'))
  await hands.click(screen.getByRole('button', { name: 'Done' }))
  await isClosed()
  await waitFor(() => expect(document.documentElement.style.overflow).not.toBe('hidden'))
})

test('its buttons stand outside of what scrolls', async () => {
  const { dialog } = await opened()
  const scrolling = screen.getByLabelText('Name').closest('.overflow-y-auto')!
  expect(dialog.contains(scrolling)).toBe(true)
  expect(scrolling.contains(screen.getByRole('button', { name: 'Done' }))).toBe(false)
  expect(scrolling.contains(screen.getByRole('button', { name: 'Close' }))).toBe(false)
})

test('a notification over it is reached by F8; Escape there dismisses the notification alone', async () => {
  const { hands, dialog } = await opened()
  await hands.click(screen.getByLabelText('Name'))
  act(() => toast({ title: 'Error', kind: 'error' }))
  await hands.keyboard('{F8}')
  expect(screen.getByRole('button', { name: 'Dismiss' })).toHaveFocus()
  await hands.keyboard('{Escape}')
  expect(screen.getByRole('alert').dataset.state).toBe('leaving')
  expect(dialog.isConnected).toBe(true)
  expect(screen.getByLabelText('Name')).toHaveFocus()
})

test('a question names what it does, has the safe button first, and cannot be answered twice', async () => {
  const hands = userEvent.setup()
  const onConfirm = jest.fn()
  const question = (busy: boolean) => (
    <ConfirmDialog
      open
      danger
      busy={busy}
      busyLabel="Deleting"
      title="Delete “Beef Stew”?"
      confirm="Delete"
      onConfirm={onConfirm}
      onClose={() => undefined}
    >
      Nobody’s lunch changes.
    </ConfirmDialog>
  )
  const { rerender } = render(question(false))
  const dialog = await screen.findByRole('dialog', { name: 'Delete “Beef Stew”?' })
  expect(dialog.textContent).toContain('Nobody’s lunch changes.')
  const names = screen.getAllByRole('button').map((one) => one.textContent || one.getAttribute('aria-label'))
  expect(names.slice(-2)).toEqual(['Cancel', 'Delete'])
  await hands.click(screen.getByRole('button', { name: 'Delete' }))
  expect(onConfirm).toHaveBeenCalledTimes(1)
  rerender(question(true))
  await hands.click(screen.getByRole('button', { name: 'Deleting' }))
  expect(onConfirm).toHaveBeenCalledTimes(1)
})
