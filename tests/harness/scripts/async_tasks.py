# ends: raised ExceptionGroup
# result: gathered [1, 2]
import asyncio


async def double(x):
    await asyncio.sleep(0)
    if x > 5:
        raise ValueError(f"{x} is too large")
    return x


async def main():
    print("RESULT: gathered", await asyncio.gather(double(1), double(2)))
    async with asyncio.TaskGroup() as group:
        group.create_task(double(6))


asyncio.run(main())
