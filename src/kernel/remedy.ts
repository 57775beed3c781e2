/** How the money of a cancelled order goes back: paid out by the office, or as family credit. */
export const remedies = ['refund', 'credit'] as const
export type Remedy = (typeof remedies)[number]
