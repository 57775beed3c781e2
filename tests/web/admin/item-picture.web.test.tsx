import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { getMenuItem, itemHasOrders, updateMenuItem, maxPicture, uploadPicture } from '#contracts/catalogue'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { forgetToasts, openConsole } from './open-console'
import { menuItemOf, serveMenu } from './sample-menu'

let server: FakeServer
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
afterEach(forgetToasts)

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
  await user.click(await screen.findByRole('button', { name: 'Remove Picture' }))
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
