// test: run
// grid: 3 1 1
// arg: i32[12288] random
// arg: i32[3] zeros
// By addresses, in place, with a branch that the sum decides, and positions of the grid.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %io = iota : tile<4096xi32>
    %n = constant <i32: 4096> : tile<i32>
    %at = muli %x, %n : tile<i32>
    %at1 = reshape %at : tile<i32> -> tile<1xi32>
    %atb = broadcast %at1 : tile<1xi32> -> tile<4096xi32>
    %k = addi %io, %atb : tile<4096xi32>
    %p1r = reshape %p0 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pb = broadcast %p1r : tile<1xptr<i32>> -> tile<4096xptr<i32>>
    %pp = offset %pb, %k : tile<4096xptr<i32>>, tile<4096xi32> -> tile<4096xptr<i32>>
    %l, %t = load_ptr_tko weak %pp : tile<4096xptr<i32>> -> tile<4096xi32>, token
    %s = reduce %l dim=0 identities=[0 : i32] : tile<4096xi32> -> tile<i32> (%e: tile<i32>, %a: tile<i32>) {
      %b = addi %e, %a : tile<i32>
      yield %b : tile<i32>
    }
    %big = cmpi greater_than %s, %nx, signed : tile<i32> -> tile<i1>
    %two = constant <i32: 2> : tile<i32>
    %r = if %big -> (tile<4096xi32>) {
      %s1 = reshape %s : tile<i32> -> tile<1xi32>
      %sb = broadcast %s1 : tile<1xi32> -> tile<4096xi32>
      %d = subi %l, %sb : tile<4096xi32>
      %m = reduce %d dim=0 identities=[-2147483648 : i32] : tile<4096xi32> -> tile<i32> (%e: tile<i32>, %a: tile<i32>) {
        %b = maxi %e, %a signed : tile<i32>
        yield %b : tile<i32>
      }
      %m1 = reshape %m : tile<i32> -> tile<1xi32>
      %mb = broadcast %m1 : tile<1xi32> -> tile<4096xi32>
      %r1 = addi %d, %mb : tile<4096xi32>
      yield %r1 : tile<4096xi32>
    } else {
      %nx1 = reshape %nx : tile<i32> -> tile<1xi32>
      %nxb = broadcast %nx1 : tile<1xi32> -> tile<4096xi32>
      %r2 = muli %l, %nxb : tile<4096xi32>
      yield %r2 : tile<4096xi32>
    }
    %st = store_ptr_tko weak %pp, %r token=%t : tile<4096xptr<i32>>, tile<4096xi32> -> token
    %c1 = reshape %p1 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %x1 = reshape %x : tile<i32> -> tile<1xi32>
    %cp = offset %c1, %x1 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
    %s1 = reshape %s : tile<i32> -> tile<1xi32>
    %st2 = store_ptr_tko weak %cp, %s1 : tile<1xptr<i32>>, tile<1xi32> -> token
    return
  }
}
