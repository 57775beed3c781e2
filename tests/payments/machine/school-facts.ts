import { enteredOnce } from '../../ordering/entered-once'
import { cutoff, nobodyAllergic, zone } from '../../ordering/lunches'
import type { CycleFacts, MenuFacts, StudentFacts } from '#modules/ordering/cart/line-policies.decide'

type SchoolNow = {
  cycle: CycleFacts | null
  items: readonly MenuFacts[]
  childrenOf: ReadonlyMap<number, readonly StudentFacts[]>
  isBroken: boolean
}

/** The school's facts as its tables tell them, while they are there. */
export const factsOf = ({ school }: { school: SchoolNow }, live: () => void) => {
  const table = async <Rows>(rows: Rows): Promise<Rows> => {
    live()
    if (school.isBroken) throw new Error('database away')
    return rows
  }
  return {
    zone,
    catalogue: {
      allergyRule: async () => 'block' as const,
      itemsByIds: (ids: readonly number[]) =>
        table(new Map(school.items.filter(({ id }) => ids.includes(id)).map((item) => [item.id, item]))),
    },
    cycles: { orderingCalendar: () => table({ cycle: school.cycle, cutoff }) },
    identity: {
      ...nobodyAllergic,
      ...enteredOnce,
      cartChildrenOf: (id: number) =>
        table((school.childrenOf.get(id) ?? []).map((student) => ({ student, allergies: [], otherIds: [] }))),
    },
  }
}
