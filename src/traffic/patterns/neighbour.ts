// The pattern `neighbour` adds 1 to every coordinate of the endpoint; digits.ts computes the destinations.
import { digitPattern } from "../digits.ts"

export default digitPattern(
  {
    name: "neighbour",
    aliases: ["neighbor"],
    about: "Every digit of the endpoint number + 1: the diagonal neighbour in a mesh or torus.",
  },
  () => 1,
)
