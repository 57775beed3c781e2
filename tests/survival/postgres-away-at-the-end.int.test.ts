import { openCanteen, place } from '../ordering/canteen'
import { freshDatabaseUrl } from '../support/postgres'
import { serveAway } from './away'

test('a service whose Postgres is away stops when it is told to', async () => {
  const { url, drop } = await freshDatabaseUrl()
  const line = await serveAway(url)
  const through = new URL(url)
  through.port = new URL(line.url).port
  const canteen = await openCanteen({ DATABASE_URL: through.href })
  const { parent, children } = await canteen.family('mwila', '3')
  await place(parent, [canteen.porridgeFor(children[0]!, 2)])
  line.cut()
  await canteen.close()
  await line.close()
  await drop()
})
