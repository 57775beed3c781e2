import { screen, waitFor, within, act, fireEvent } from '@testing-library/react'
import {
  createMenuItem,
  getMenuItem,
  itemHasOrders,
  updateMenuItem,
  duplicateItems,
} from '#contracts/catalogue'
import { maxPicture, uploadPicture } from '#contracts/pictures'
import { type FakeServer, fakeServer, FakeRefusal, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { menuItemOf, sampleMenu, serveMenu } from './sample-menu'

let server: FakeServer
afterEach(forgetToasts)

describe('menu form', () => {
  type Hands = ReturnType<typeof openConsole>

  beforeEach(() => {
    server = fakeServer()
    serveMenu(server)
    server.on(getMenuItem, ({ params }) => ({
      ...menuItemOf(Number(params.id)),
      ...sampleMenu()[0],
      id: Number(params.id),
    }))
    server.on(itemHasOrders, ({ params }) => ({ hasOrders: params.id === 1 }))
  })

  const press = async (user: Hands, name: string) => user.click(await screen.findByRole('button', { name }))
  const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name)

  const openNew = async () => {
    const user = openConsole('/')
    await press(user, 'Add New Menu Item')
    return user
  }

  describe('a new item', () => {
    test('says under each field what is missing and goes to the first', async () => {
      const user = await openNew()
      await press(user, 'Create Menu Item')
      for (const message of [
        'Name is required',
        'Price must be a valid positive number with up to 2 decimal places',
        'Select at least one category',
        'Select at least one week',
        'Select at least one day',
      ])
        expect(await screen.findByText(message)).toBeInTheDocument()
      expect(await field('Name')).toHaveFocus()
      expect(server.asked(createMenuItem)).toEqual([])
    })

    test('a group of boxes takes the focus when it is the first that is wrong', async () => {
      const user = await openNew()
      await user.type(await field('Name'), 'Bream')
      await user.type(await field('Price (K)'), '55')
      await press(user, 'Create Menu Item')
      await screen.findByText('Select at least one category')
      expect(screen.getByLabelText('Beef')).toHaveFocus()
      await user.click(screen.getByLabelText('Beef'))
      await waitFor(() => expect(screen.queryByText('Select at least one category')).not.toBeInTheDocument())
    })

    test('an image address that is none is refused', async () => {
      const user = await openNew()
      await user.type(await field('Image URL (optional)'), 'picture.jpg')
      await press(user, 'Create Menu Item')
      expect(await screen.findByText('Invalid URL')).toBeInTheDocument()
    })

    test('a price that is unclear stays as it was typed, and is refused', async () => {
      const user = await openNew()
      const price = await field('Price (K)')
      await user.type(price, '4a5.,559')
      await press(user, 'Create Menu Item')
      await screen.findByText('Price must be a valid positive number with up to 2 decimal places')
      expect(price.value).toBe('4a5.,559')
    })

    test('is sent whole, told, and the panel closes', async () => {
      server.on(createMenuItem, () => menuItemOf(9))
      const user = await openNew()
      await user.type(await field('Name'), 'Bream')
      await user.type(await field('Price (K)'), '55.5')
      await user.selectOptions(await field('Type'), 'Secondary')
      await user.type(await field('Description (optional)'), 'From the lake')
      const proteins = within(screen.getByRole('group', { name: 'Protein options' }))
      await user.click(proteins.getByLabelText('Fish'))
      await user.type(await field('Add a custom protein'), '  Tofu {Enter}')
      await user.type(await field('Tofu description (optional)'), 'Smoked')
      await user.type(await field('Side dishes (optional)'), 'Rape{Enter}')
      await user.click(screen.getByLabelText('Week 2'))
      await user.click(screen.getByLabelText('Week 1'))
      await user.click(screen.getByLabelText('Friday'))
      await user.click(screen.getByLabelText('Peanuts'))
      await user.selectOptions(await field('Halal'), 'Yes')
      await user.selectOptions(await field('No pork'), 'No')
      await user.click(screen.getByRole('checkbox', { name: /^Available/ }))
      await user.type(await field('Portions a day (optional)'), '40')
      await user.selectOptions(await field('Can be ordered'), '2 school days earlier')
      await press(user, 'Add Ingredient')
      await press(user, 'Add Ingredient')
      const [gone, kept] = await screen.findAllByRole('group', { name: /^Ingredient/ })
      await user.type(within(gone!).getByLabelText('Ingredient'), 'Salt')
      await user.type(within(kept!).getByLabelText('Ingredient'), 'Bream')
      await user.selectOptions(within(kept!).getByLabelText('Unit'), 'piece')
      await user.clear(within(kept!).getByLabelText('Primary'))
      await user.type(within(kept!).getByLabelText('Primary'), '0.5')
      await user.clear(within(kept!).getByLabelText('Secondary'))
      await user.type(within(kept!).getByLabelText('Secondary'), '1')
      await press(user, 'Remove ingredient 1')
      await press(user, 'Create Menu Item')
      expect(await screen.findByText('Menu item created successfully')).toBeInTheDocument()
      expect(server.asked(createMenuItem)[0]?.body).toEqual({
        name: 'Bream',
        description: 'From the lake',
        price: '55.5',
        imageUrl: null,
        type: 'secondary',
        categories: ['fish', 'tofu'],
        proteinDescriptions: { tofu: 'Smoked' },
        weekNumbers: [1, 2],
        daysOfWeek: [5],
        allergens: ['Peanuts'],
        diets: { halal: 'yes', vegetarian: 'unknown', noPork: 'no', noBeef: 'unknown' },
        sideDishes: ['Rape'],
        isAvailable: false,
        portionLimit: 40,
        leadDays: 2,
        ingredients: [{ name: 'Bream', unit: 'piece', primary: 0.5, secondary: 1 }],
      })
      await waitFor(() =>
        expect(screen.queryByRole('button', { name: 'Create Menu Item' })).not.toBeInTheDocument(),
      )
    })

    test('a protein that is there already is not added', async () => {
      const user = await openNew()
      await user.click(screen.getByLabelText('Beef'))
      await user.type(await field('Add a custom protein'), ' BEEF')
      expect(screen.getByText('This protein is already chosen')).toBeInTheDocument()
      await press(user, 'Add Protein')
      expect(screen.getAllByLabelText('Beef')).toHaveLength(1)
    })

    test('empty side dishes are ignored and one can be taken out again', async () => {
      const user = await openNew()
      await press(user, 'Add Side Dish')
      expect(screen.queryByRole('list', { name: 'Side dishes' })).not.toBeInTheDocument()
      await user.type(await field('Side dishes (optional)'), 'Chips')
      await press(user, 'Add Side Dish')
      await press(user, 'Remove Chips')
      expect(screen.queryByRole('list', { name: 'Side dishes' })).not.toBeInTheDocument()
    })
  })

  describe('an item to change', () => {
    test('is shown with its fields and the way back', async () => {
      openConsole('/menu/edit/4')
      expect((await field('Name')).value).toBe('Beef Stew')
      expect((await field('Price (K)')).value).toBe('60.50')
      expect((await field('Beef description (optional)')).value).toBe('Tender chunks')
      expect(screen.getByRole('link', { name: 'Back to Menu' })).toHaveAttribute('href', '/')
    })

    test('is saved and leads back to the console', async () => {
      server.on(updateMenuItem, () => menuItemOf(4))
      const user = openConsole('/menu/edit/4')
      await user.type(await field('Name'), '!')
      await press(user, 'Update Menu Item')
      expect(await screen.findByText('Menu item updated successfully')).toBeInTheDocument()
      expect(server.asked(updateMenuItem)[0]).toMatchObject({
        params: { id: 4 },
        body: { name: 'Beef Stew!', price: '60.50', imageUrl: null },
      })
      await waitFor(() => expect(shownAddress()).toBe('/'))
    })

    test('what the server refuses stands under its field', async () => {
      server.on(updateMenuItem, () =>
        refusal(422, 'item_invalid', 'The item is not right', { fields: { price: 'Too dear for a school' } }),
      )
      const user = openConsole('/menu/edit/4')
      await field('Name')
      await press(user, 'Update Menu Item')
      expect(await screen.findByText('Too dear for a school')).toBeInTheDocument()
      expect(shownAddress()).toBe('/menu/edit/4')
    })

    test('a save that failed without words says so', async () => {
      server.on(updateMenuItem, () => {
        throw new FakeRefusal(500, null)
      })
      const user = openConsole('/menu/edit/4')
      await field('Name')
      await press(user, 'Update Menu Item')
      expect(await screen.findByText('Failed to save menu item')).toBeInTheDocument()
      expect(screen.getByText('Error')).toBeInTheDocument()
    })

    test('that is not there is said', async () => {
      server.on(getMenuItem, () => refusal(404, 'item_not_found', 'Item not found'))
      openConsole('/menu/edit/99')
      expect(await screen.findByText('Item not found')).toBeInTheDocument()
    })

    test('an address without a number is no item', async () => {
      openConsole('/menu/edit/soup')
      expect(await screen.findByText('Item not found')).toBeInTheDocument()
      expect(server.asked(getMenuItem)).toEqual([])
    })

    test('that could not be read says why', async () => {
      server.on(getMenuItem, () => refusal(503, 'unavailable', 'The database is away'))
      openConsole('/menu/edit/4')
      expect(await screen.findByText('Failed to load menu item: The database is away')).toBeInTheDocument()
    })

    test('is not open to those who do not hold Menu Management', async () => {
      openConsole('/menu/edit/4', adminWith('kitchen'))
      expect(await screen.findByText('Menu Management is not open to you')).toBeInTheDocument()
      expect(server.asked(getMenuItem)).toEqual([])
    })
  })

  describe('the name lock', () => {
    const locked = 'This item has orders, so its name is locked.'

    test('a name with orders is not changed; the dialog asks and Keep Current Name keeps it', async () => {
      const user = openConsole('/menu/edit/1')
      await screen.findByText(locked)
      await user.type(await field('Name'), 's')
      expect(await screen.findByRole('dialog', { name: 'This name is locked' })).toBeInTheDocument()
      await press(user, 'Keep Current Name')
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      expect((await field('Name')).value).toBe('Beef Stew')
    })

    test('Duplicate Item makes a copy and opens it for editing', async () => {
      server.on(duplicateItems, () => [menuItemOf(12)])
      const user = openConsole('/menu/edit/1')
      await screen.findByText(locked)
      await user.type(await field('Name'), 's')
      await press(user, 'Duplicate Item')
      expect(
        await screen.findByText('Menu item duplicated. You can now modify the new copy.'),
      ).toBeInTheDocument()
      expect(server.asked(duplicateItems)[0]?.body).toEqual({ itemIds: [1] })
      await waitFor(() => expect(shownAddress()).toBe('/menu/edit/12'))
      await waitFor(() => expect(screen.queryByText(locked)).not.toBeInTheDocument())
    })

    test('a name typed before the orders were known is put back and the dialog asks', async () => {
      let tell: ((reply: { hasOrders: boolean }) => void) | undefined
      server.on(itemHasOrders, () => new Promise<{ hasOrders: boolean }>((resolve) => (tell = resolve)))
      const user = openConsole('/menu/edit/1')
      await user.type(await field('Name'), 's')
      expect((await field('Name')).value).toBe('Beef Stews')
      tell?.({ hasOrders: true })
      expect(await screen.findByRole('dialog', { name: 'This name is locked' })).toBeInTheDocument()
      expect(screen.getByLabelText('Name')).toHaveValue('Beef Stew')
    })

    test('an order that came in between is found by the server; the name is put back', async () => {
      server.on(updateMenuItem, () => {
        server.on(itemHasOrders, { hasOrders: true })
        return refusal(409, 'name_locked', 'This item has orders', {
          fields: { name: 'The name cannot be changed' },
        })
      })
      const user = openConsole('/menu/edit/4')
      await user.type(await field('Name'), 's')
      await press(user, 'Update Menu Item')
      expect(await screen.findByRole('dialog', { name: 'This name is locked' })).toBeInTheDocument()
      expect(screen.getByLabelText('Name')).toHaveValue('Beef Stew')
    })

    test('that the orders could not be checked is said', async () => {
      server.on(itemHasOrders, () => refusal(503, 'unavailable', 'Orders are away'))
      openConsole('/menu/edit/1')
      expect(await screen.findByText('Failed to check order status')).toBeInTheDocument()
    })
  })

  test('Cancel closes the panel without a word', async () => {
    const user = await openNew()
    await user.type(await field('Name'), 'Bream')
    await press(user, 'Cancel')
    expect(screen.queryByLabelText('Name')).not.toBeInTheDocument()
  })
})

describe('item picture', () => {
  let imageUrl: string | null

  const hash = 'ab'.repeat(16)
  const large = `/pictures/${hash}-960x720.webp`

  beforeEach(() => {
    server = fakeServer()
    serveMenu(server)
    imageUrl = null
    server.on(getMenuItem, () => menuItemOf(4, { imageUrl }))
    server.on(itemHasOrders, () => ({ hasOrders: false }))
    server.on(updateMenuItem, () => menuItemOf(4))
  })

  const photo = (bytes = 10) => new File([new Uint8Array(bytes)], 'dish.jpg', { type: 'image/jpeg' })
  const picker = () => screen.findByLabelText<HTMLInputElement>('Picture file')
  const box = () => screen.getByRole('region', { name: 'Picture' })
  const shown = () => box().querySelector('img')
  const save = async (user: ReturnType<typeof openConsole>) => {
    await user.click(screen.getByRole('button', { name: 'Update Menu Item' }))
    await screen.findByText('Menu item updated successfully')
    return server.asked(updateMenuItem)[0]?.body
  }

  test('a chosen file is uploaded, shown in both sizes, and saved with the item', async () => {
    server.on(uploadPicture, () => ({ imageUrl: large }))
    const user = openConsole('/menu/edit/4')
    await user.upload(await picker(), photo())
    expect(await screen.findByText('Uploaded. Save the item to show it on the menu.')).toBeInTheDocument()
    expect(shown()).toHaveAttribute('src', large)
    expect(shown()).toHaveAttribute('srcset', `/pictures/${hash}-320x240.webp 320w, ${large} 960w`)
    expect([shown()!.width, shown()!.height]).toEqual([960, 720])
    expect(screen.queryByLabelText('Image URL (optional)')).not.toBeInTheDocument()
    const form = server.asked(uploadPicture)[0]!.body as FormData
    expect((form.get('file') as File).name).toBe('dish.jpg')
    expect(await save(user)).toMatchObject({ imageUrl: large })
  })

  test('a file can be dropped; while it is on its way the item is not saved', async () => {
    const waiting: ((reply: { imageUrl: string }) => void)[] = []
    server.on(uploadPicture, () => new Promise((resolve) => waiting.push(resolve)))
    openConsole('/menu/edit/4')
    await picker()
    fireEvent.drop(box(), { dataTransfer: { files: [photo()] } })
    expect(await screen.findByRole('progressbar', { name: 'Uploading the picture' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Update Menu Item' })).toBeDisabled()
    await act(async () => waiting[0]!({ imageUrl: large }))
    await waitFor(() => expect(shown()).toHaveAttribute('src', large))
    expect(screen.getByRole('button', { name: 'Update Menu Item' })).toBeEnabled()
  })

  test('a picture is taken away again', async () => {
    imageUrl = large
    const user = openConsole('/menu/edit/4')
    const remove = await screen.findByRole('button', { name: 'Remove Picture' })
    expect(screen.queryByText(/Save the item/)).not.toBeInTheDocument()
    await user.click(remove)
    expect(shown()).toBeNull()
    expect(await screen.findByLabelText('Image URL (optional)')).toHaveValue('')
    expect(await save(user)).toMatchObject({ imageUrl: null })
  })

  test('what the server refuses is said, and another can be chosen', async () => {
    const words = 'This picture is damaged or was cut off. Choose another file.'
    server.on(uploadPicture, () => refusal(422, 'picture_broken', words))
    const user = openConsole('/menu/edit/4')
    await user.upload(await picker(), photo())
    expect(await screen.findByRole('alert')).toHaveTextContent(words)
    server.on(uploadPicture, () => ({ imageUrl: large }))
    await user.upload(await picker(), photo())
    await waitFor(() => expect(shown()).toHaveAttribute('src', large))
    expect(screen.queryByText(words)).not.toBeInTheDocument()
  })

  test('one that is too large is not sent', async () => {
    const user = openConsole('/menu/edit/4')
    await user.upload(await picker(), photo(maxPicture.bytes + 1))
    expect(await screen.findByRole('alert')).toHaveTextContent('more than 8 MB')
  })

  test('an address elsewhere is shown as it is, and a bowl where nothing comes', async () => {
    imageUrl = 'https://pictures.school.test/nshima.jpg'
    openConsole('/menu/edit/4')
    await waitFor(() => expect(shown()).toHaveAttribute('src', imageUrl))
    expect(shown()).not.toHaveAttribute('srcset')
    fireEvent.error(shown()!)
    expect(shown()).toBeNull()
    expect(await screen.findByLabelText('Image URL (optional)')).toHaveValue(imageUrl)
  })
})
