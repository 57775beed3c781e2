import { createCycle, deactivateCycle } from '#contracts/cycles'
import { addStudent, currentUser, gradeNames } from '#contracts/identity'
import { kitchenWeek, setOrderStatus } from '#contracts/kitchen'
import { createDiscountCode } from '#contracts/order-reports'
import { addDays, instantAt, type SchoolDate } from '#kernel/school-time'
import { type Client, registerParent, several, staySignedIn } from './client'
import { orderForEverybody } from './ordering'
import { childOf, personOf } from './sample-data'

export const usualHouses = 200
const boardersPerHouse = 10
const housePassword = 'tuckshop-parent'
const firstKeeper = 100

const pastWeeks = [3, 4]
const pastDays = pastWeeks.flatMap((week) => [1, 3].map((day) => ({ week, day })))

export const largeSteps = (houses: number) => houses * 3 + pastWeeks.length

export type LargeStage = {
  baseUrl: string
  zone: string
  monday: SchoolDate
  setClock: (at: Date) => void
  step: (what: string) => void
  houses: number
}

/** Lives a past cycle of 200 boarding houses with free meals: 8,000 orders, all cooked. Needs the menu. */
export const livePastCycle = async (stage: LargeStage): Promise<void> => {
  const start = addDays(stage.monday, -28)
  const at = (date: SchoolDate, hour: number) => stage.setClock(instantAt(date, hour, 0, stage.zone))
  at(addDays(start, -4), 9)
  const keeper = await staySignedIn(stage.baseUrl, 'superadmin', 'tuckshop-superadmin')
  const cycle = await keeper.call(createCycle, {
    body: { startDate: start, cycleLength: 4, blockedDays: [] },
  })
  await several(stage.houses, async (index) => {
    const house = await openHouse(stage.baseUrl, keeper, index)
    stage.step('boarding houses')
    await orderForEverybody(house, { seed: index, days: pastDays })
    stage.step('their orders')
  })
  for (const week of pastWeeks) {
    at(addDays(start, week * 7 - 3), 15)
    await cookWeek(await staySignedIn(stage.baseUrl, 'superadmin', 'tuckshop-superadmin'), week)
    stage.step('kitchen')
  }
  const closer = await staySignedIn(stage.baseUrl, 'superadmin', 'tuckshop-superadmin')
  await closer.call(deactivateCycle, { params: { id: cycle.id } })
}

/** One meal for every boarder on a day of the active cycle: 2,000 orders. */
export const orderForHouses = async (
  { baseUrl, step, houses }: Pick<LargeStage, 'baseUrl' | 'step' | 'houses'>,
  day: { week: number; day: number },
): Promise<void> => {
  await several(houses, async (index) => {
    const house = await staySignedIn(baseUrl, usernameOf(index), housePassword)
    await orderForEverybody(house, { seed: index, days: [day] })
    step('their orders')
  })
}

const numberOf = (index: number) => String(index + 1).padStart(3, '0')
const usernameOf = (index: number) => `house.${numberOf(index)}`

const openHouse = async (baseUrl: string, office: Client, index: number): Promise<Client> => {
  const number = numberOf(index)
  const client = await registerParent(baseUrl, {
    username: usernameOf(index),
    password: housePassword,
    name: personOf(firstKeeper + index).name,
    email: `house.${number}@example.com`,
  })
  const { id: userId } = await client.call(currentUser)
  for (let boarder = 0; boarder < boardersPerHouse; boarder += 1) {
    const seed = index * boardersPerHouse + boarder
    const name = childOf(personOf(seed).surname, seed + Math.floor(seed / 60))
    const grade = gradeNames[(index + boarder) % gradeNames.length]!
    // A parent adds twelve children at most, the office any number.
    await office.call(addStudent, { body: { name, grade, parentId: userId } })
  }
  await office.call(createDiscountCode, {
    body: { code: `HOUSE-${number}`, userId, discountPercentage: 100, isActive: true },
  })
  return client
}

const cookWeek = async (kitchen: Client, week: number) => {
  const { totals } = await kitchen.call(kitchenWeek, { params: { week } })
  const orderIds = totals.flatMap((total) => total.pendingOrderIds)
  for (let from = 0; from < orderIds.length; from += 2000)
    await kitchen.call(setOrderStatus, {
      body: { orderIds: orderIds.slice(from, from + 2000), status: 'completed' },
    })
}
