import { Refusal } from '#kernel/refusal'

export const cyclesStatus = {
  cycle_not_found: 404,
  cycle_active: 409,
  start_date_invalid: 422,
  start_not_monday: 422,
  start_in_past: 422,
  blocked_day_outside_cycle: 422,
}

type CyclesRefusal = keyof typeof cyclesStatus

export const cycleNotFound = () => new Refusal<CyclesRefusal>('cycle_not_found', 'Cycle not found')

export const cycleActive = () =>
  new Refusal<CyclesRefusal>('cycle_active', 'An order cycle is already active. Deactivate it first.')

export const refusedField = (code: CyclesRefusal, field: string, message: string) =>
  new Refusal<CyclesRefusal>(code, message, { fields: { [field]: message } })
