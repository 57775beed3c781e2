import { screen, waitFor, within } from '@testing-library/react'
import {
  type MenuItem,
  deleteMenuItem,
  setArchived,
  bulkArchive,
  duplicateItems,
  itemsHaveOrders,
} from '#contracts/catalogue'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { forgetToasts, openConsole } from './open-console'
import { menuItemOf, serveMenu } from './sample-menu'

let server: FakeServer
let items: MenuItem[]

beforeEach(() => {
  server = fakeServer()
  items = serveMenu(server)
})
afterEach(forgetToasts)

const rowOf = async (name: string) => {
  const box = await screen.findByLabelText(`Select ${name}`)
  return within(box.closest('tr') as HTMLElement)
}

const dialog = () => screen.findByRole('dialog')
const press = async (user: ReturnType<typeof openConsole>, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))

const choose = async (user: ReturnType<typeof openConsole>, ...names: string[]) => {
  for (const name of names) await user.click(await screen.findByLabelText(`Select ${name}`))
}

describe('leaving the menu', () => {
  test('whether items have orders is asked once for all of the page', async () => {
    openConsole('/')
    await screen.findByRole('button', { name: 'Archive Beef Stew' })
    expect(server.asked(itemsHaveOrders).map(({ body }) => body)).toEqual([{ menuItemIds: [1, 2, 4] }])
  })

  test('an item without orders is deleted after a question', async () => {
    server.on(deleteMenuItem, ({ params }) => {
      items.splice(
        items.findIndex((item) => item.id === params.id),
        1,
      )
      return { message: 'Menu item deleted' }
    })
    const user = openConsole('/')
    await press(user, 'Delete Fish Cakes')
    expect((await dialog()).textContent).toContain('“Fish Cakes” is removed for good')
    await press(user, 'Delete')
    expect(await screen.findByText('Menu item deleted successfully')).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByLabelText('Select Fish Cakes')).not.toBeInTheDocument())
    expect(server.asked(deleteMenuItem).map(({ params }) => params)).toEqual([{ id: 2 }])
  })

  test('nothing is deleted when the question is answered with Cancel', async () => {
    server.on(deleteMenuItem, { message: 'never' })
    const user = openConsole('/')
    await press(user, 'Delete Fish Cakes')
    await press(user, 'Cancel')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(server.asked(deleteMenuItem)).toEqual([])
  })

  test.each([
    [
      'the server says why',
      () => refusal(409, 'item_has_orders', 'This item has orders'),
      'This item has orders',
    ],
    [
      'the server says nothing',
      () => {
        throw new FakeRefusal(502, null)
      },
      'Failed to delete menu item',
    ],
  ])('a refused delete is told: %s', async (_name, answer, text) => {
    server.on(deleteMenuItem, answer)
    const user = openConsole('/')
    await press(user, 'Delete Fish Cakes')
    await press(user, 'Delete')
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(screen.getByText('Error')).toBeInTheDocument()
  })

  test('an item with orders is archived, not deleted', async () => {
    server.on(setArchived, ({ params, body }) => {
      const item = items.find(({ id }) => id === params.id) as MenuItem
      item.isArchived = (body as { isArchived: boolean }).isArchived
      return item
    })
    const user = openConsole('/')
    await press(user, 'Archive Beef Stew')
    expect(screen.queryByRole('button', { name: 'Delete Beef Stew' })).not.toBeInTheDocument()
    await user.click(within(await dialog()).getByRole('button', { name: 'Archive' }))
    await waitFor(() => expect(screen.queryByLabelText('Select Beef Stew')).not.toBeInTheDocument())
    expect(server.asked(setArchived)[0]).toMatchObject({ params: { id: 1 }, body: { isArchived: true } })
  })

  test('an archived item comes back without a question', async () => {
    server.on(setArchived, () => menuItemOf(3, { isArchived: false }))
    const user = openConsole('/?archived=true')
    await press(user, 'Unarchive Old Soup')
    expect(await screen.findByText('Menu item unarchived successfully')).toBeInTheDocument()
    expect(server.asked(setArchived)[0]).toMatchObject({ params: { id: 3 }, body: { isArchived: false } })
  })

  test('a refused archiving has its own words', async () => {
    server.on(setArchived, () => {
      throw new FakeRefusal(502, null)
    })
    const user = openConsole('/')
    await press(user, 'Archive Beef Stew')
    await user.click(within(await dialog()).getByRole('button', { name: 'Archive' }))
    expect(await screen.findByText('Failed to archive menu item')).toBeInTheDocument()
  })

  test('nothing is offered for deleting while it is not known what has orders', async () => {
    server.on(itemsHaveOrders, () => refusal(503, 'unavailable', 'Orders are being rebuilt'))
    openConsole('/')
    expect(await screen.findByText('Failed to check orders')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^Delete/ })).not.toBeInTheDocument()
    expect((await rowOf('Fish Cakes')).getByRole('button', { name: 'Checking for orders' })).toHaveProperty(
      'disabled',
      true,
    )
  })
})

describe('several items together', () => {
  test('are duplicated', async () => {
    server.on(duplicateItems, () => [menuItemOf(8), menuItemOf(9)])
    const user = openConsole('/')
    await choose(user, 'Beef Stew', 'Pancakes')
    expect(screen.getByText('2 selected')).toBeInTheDocument()
    await press(user, 'Duplicate')
    expect(await screen.findByText('Selected menu items duplicated successfully')).toBeInTheDocument()
    expect(server.asked(duplicateItems)[0]?.body).toEqual({ itemIds: [1, 4] })
    expect(screen.getByText('Select all')).toBeInTheDocument()
  })

  test('are archived after a question', async () => {
    server.on(bulkArchive, [])
    const user = openConsole('/')
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }))
    await press(user, 'Archive')
    expect((await dialog()).textContent).toContain('Archive 3 menu items?')
    await user.click(within(await dialog()).getByRole('button', { name: 'Archive' }))
    expect(await screen.findByText('Selected menu items archived successfully')).toBeInTheDocument()
    expect(server.asked(bulkArchive)[0]?.body).toEqual({ itemIds: [1, 2, 4], isArchived: true })
  })

  test('are unarchived', async () => {
    server.on(bulkArchive, [])
    const user = openConsole('/?archived=true')
    await choose(user, 'Old Soup')
    await press(user, 'Unarchive')
    expect(await screen.findByText('Selected menu items unarchived successfully')).toBeInTheDocument()
    expect(server.asked(bulkArchive)[0]?.body).toEqual({ itemIds: [3], isArchived: false })
  })

  test('what is no longer shown is not acted on', async () => {
    server.on(duplicateItems, () => {
      items.splice(
        items.findIndex(({ name }) => name === 'Pancakes'),
        1,
      )
      return refusal(404, 'item_not_found', 'Item not found')
    })
    const user = openConsole('/')
    await choose(user, 'Beef Stew', 'Pancakes')
    await press(user, 'Duplicate')
    expect(await screen.findByText('1 selected')).toBeInTheDocument()
    await press(user, 'Duplicate')
    await waitFor(() => expect(server.asked(duplicateItems)[1]?.body).toEqual({ itemIds: [1] }))
  })

  test('stay chosen when the server refuses', async () => {
    server.on(duplicateItems, () => refusal(404, 'item_not_found', 'Item not found'))
    const user = openConsole('/')
    await choose(user, 'Beef Stew')
    await press(user, 'Duplicate')
    expect(await screen.findByText('Item not found')).toBeInTheDocument()
    expect(screen.getByText('1 selected')).toBeInTheDocument()
  })
})
