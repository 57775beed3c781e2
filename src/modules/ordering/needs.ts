import type { AllergyRule, Diet } from '#contracts/eating'
import type { SchoolDate } from '#kernel/school-time'
import type { UserMessage } from '#kernel/user-message'
import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { StreamChange } from '#platform/event-store/command-handler'
import type { EventStore, Position } from '#platform/event-store/event-store'
import type { Notifications } from '#platform/notifications'
import type { CycleFacts, MenuFacts, StudentFacts } from './cart/line-facts'

/** An order that becomes another meal, once per `changeId`: what it takes as credit, gives when it is negative, in ngwee. */
type PriceChange = {
  userId: number
  orderId: string
  attemptId: string
  changeId: string
  difference: number
  /** In words for the family. */
  text: string
}

/** A meal of a student, and what of it the student is allergic to. */
export type AllergensOfMeal = {
  studentId: number
  date: SchoolDate
  itemId: number
  allergens: readonly string[]
}

/** Who has accepted that a meal contains what the child is allergic to. */
export type AcknowledgedBy = 'family' | 'office'

/** An ordered meal that nobody of the family has accepted, in the words of its order. */
export type MealInConflict = AllergensOfMeal & { orderId: string; student: string; item: string }

/** What ordering needs of the process and of the other contexts. */
export type OrderingNeeds = {
  database: Database
  notifications: Pick<Notifications, 'subscribe' | 'publisher'>
  eventStore: Pick<EventStore, 'read' | 'append'>
  waitForViews: (position: Position) => Promise<void>
  now: Now
  /** IANA name of the school's time zone. */
  zone: string
  catalogue: {
    /** Those of the items that exist, archived or not. */
    itemsByIds: (ids: readonly number[]) => Promise<ReadonlyMap<number, MenuFacts>>
    /** The allergens of every item that has some, archived or not. */
    allergensOfItems: () => Promise<ReadonlyMap<number, readonly string[]>>
  }
  cycles: {
    activeCycle: () => Promise<CycleFacts | null>
    /** Every cycle, the active one first. */
    allCycles: () => Promise<{ id: number; startDate: SchoolDate; cycleLength: number; isActive: boolean }[]>
    /** These cycles; one that is not there is absent. */
    cyclesByIds: (ids: readonly number[]) => Promise<ReadonlyMap<number, { startDate: SchoolDate }>>
    /** The active cycle, and the time of day from which today's meal can no longer be ordered. */
    orderingCalendar: () => Promise<{ cycle: CycleFacts | null; cutoff: { hour: number; minute: number } }>
  }
  credit: {
    /**
     * Takes back the credit that was given for cancelled orders that are to stand again; `changes` go before theirs. Orders
     * whose credit was `spent` cannot.
     */
    reclaimCredit: (
      orders: readonly { id: string; userId: number }[],
      at: Date,
    ) => Promise<{ changes: StreamChange[]; spent: ReadonlySet<string> }>
    /**
     * Gives what an order costs less than before, or takes what it costs more, in ngwee; `changes` go before its own.
     * Throws `credit_short`.
     */
    settlePrice: (change: PriceChange, at: Date) => Promise<StreamChange[]>
  }
  books: {
    /** The numbers of the receipts of these orders' payments, by order; those of no receipt are left out. */
    receiptNumbers: (
      orders: readonly { id: string; attemptId: string }[],
    ) => Promise<ReadonlyMap<string, string>>
  }
  identity: {
    allergyRule: () => Promise<AllergyRule>
    /** Everybody who is allergic to something, and to what. */
    allergicStudents: () => Promise<ReadonlyMap<number, readonly string[]>>
    /** Keeps which allergens were accepted with meals; what was accepted of the same meal before is forgotten. */
    acknowledge: (meals: readonly AllergensOfMeal[], by: AcknowledgedBy) => Promise<void>
    /** What was accepted with meals of these students from that date on. */
    acknowledgedOf: (
      studentIds: readonly number[],
      from: SchoolDate,
    ) => Promise<readonly (AllergensOfMeal & { by: AcknowledgedBy })[]>
    /** Tells the guardians that these meals need a look, once of each meal and allergen. */
    tellOfConflicts: (meals: readonly MealInConflict[]) => Promise<void>
    /** Whom a user may order for. */
    orderableStudentsOf: (userId: number) => Promise<readonly StudentFacts[]>
    /** The students of whom a user is the first or a second guardian, each under every id that it ever had. */
    childrenOf: (userId: number) => Promise<readonly number[]>
    /** These students as they are now, by the ids asked for; who has left the school is left out. */
    childrenNow: (
      studentIds: readonly number[],
    ) => Promise<ReadonlyMap<number, { name: string; class: string | null }>>
    /** By each of these ids, the other ids of the same child; those that have none are left out. */
    otherIdsOf: (studentIds: readonly number[]) => Promise<ReadonlyMap<number, readonly number[]>>
    isGuardianOf: (userId: number, studentId: number) => Promise<boolean>
    /** Null when there is no such user. */
    personOf: (userId: number) => Promise<{ username: string } | null>
    /** By user id; ids that nobody has are left out. */
    usernamesOf: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
    /** Writes to a user on the channels that they chose, once per id; false when nothing reaches them. */
    messageUser: (userId: number, message: UserMessage, id: string) => Promise<boolean>
    /** Whether the school reminds families that nothing is ordered. */
    remindersOn: () => Promise<boolean>
    /** Parents who want to be reminded, from the account after that one on, with every id that their children ever had. */
    toRemind: (
      afterUserId: number,
      atMost: number,
    ) => Promise<readonly { userId: number; studentIds: readonly number[] }[]>
    /** The address at which one press ends the reminders of this user. */
    stopLinkOf: (userId: number) => string
    /**
     * What each of these students must not eat, at the moment it is shown; one who declared nothing is among them. It is
     * kept nowhere else. `medicalNote` is null without the family's consent.
     */
    healthOf: (
      studentIds: readonly number[],
    ) => Promise<ReadonlyMap<number, { allergies: string[] | null; diet: Diet; medicalNote: string | null }>>
    /** The ids of everybody whose username contains this text, without regard to case. */
    usersNamed: (text: string) => Promise<number[]>
  }
}
